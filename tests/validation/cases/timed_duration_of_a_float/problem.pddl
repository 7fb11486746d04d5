(define (problem x) (:domain tank)
 (:init (open) (= (level) 0) (= (size) 2) (= (rate) 3))
 (:goal (= (level) (/ 2 3)))
)
