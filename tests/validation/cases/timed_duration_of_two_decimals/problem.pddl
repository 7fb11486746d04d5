(define (problem x) (:domain tank)
 (:init (open) (= (level) 0) (= (size) 1) (= (rate) 3))
 (:goal (done))
)
