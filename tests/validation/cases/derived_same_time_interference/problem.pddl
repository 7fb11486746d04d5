(define (problem p) (:domain stock) (:init (= (stock) 1) (= (level) 2)) (:goal (done)))
