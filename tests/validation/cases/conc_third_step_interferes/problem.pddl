(define (problem q) (:domain both) (:init (= (x) 1) (= (y) 0) ) (:goal (g)))
