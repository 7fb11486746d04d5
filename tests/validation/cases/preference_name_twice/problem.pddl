(define (problem x) (:domain d) (:init (p))
 (:goal (and (q) (preference n (not (p)))))
 (:constraints (preference n (always (p))))
 (:metric minimize (is-violated n)))
