(define (problem x) (:domain tank)
 (:init (= (size) 2))
 (:goal (done))
)
