(define (problem x) (:domain d) (:init (p))
 (:goal (and (q) (preference n (not (p)))))
 (:metric minimize (is-violated m)))
