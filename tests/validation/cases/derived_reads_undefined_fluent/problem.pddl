(define (problem p) (:domain stock) (:init (= (stock) 1) ) (:goal (done)))
