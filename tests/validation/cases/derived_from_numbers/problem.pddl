(define (problem p) (:domain shop) (:init (= (stock) 1) (= (level) 1)) (:goal (done)))
