(define (problem x) (:domain d) (:init (p)) (:goal (q)) (:metric minimize (is-violated g)))
