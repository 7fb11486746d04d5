(define (problem x) (:domain tank)
 (:init (= (size) 1) (= (level) 0))
 (:goal (= (level) (/ 2 3)))
)
