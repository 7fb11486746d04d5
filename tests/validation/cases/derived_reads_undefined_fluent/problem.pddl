(define (problem p) (:domain shop) (:init (= (stock) 1) ) (:goal (done)))
