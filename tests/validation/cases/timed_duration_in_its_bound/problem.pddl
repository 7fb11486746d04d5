(define (problem x) (:domain tank)
 (:init (= (size) 1))
 (:goal (done))
)
