(define (problem x) (:domain d) (:init (p))
 (:goal (and (q) (preference g (> (f) 0)))) (:metric minimize (is-violated g)))
