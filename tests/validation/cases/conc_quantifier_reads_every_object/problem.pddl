(define (problem q) (:domain both) (:init (= (x) 1) (= (y) 0) (q o1) (q o2)) (:goal (g)))
