(define (problem p) (:domain shop) (:init (= (stock) 1) (= (level) 2)) (:goal (done)))
