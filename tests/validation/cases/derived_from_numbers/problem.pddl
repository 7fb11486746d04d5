(define (problem p) (:domain stock) (:init (= (stock) 1) (= (level) 1)) (:goal (done)))
