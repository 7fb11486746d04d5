(define (problem x) (:domain tank)
 (:init (open) (= (level) 0) (= (size) 8) (= (rate) 7))
 (:goal (and (<= (level) 8) (>= (level) 8)))
)
