(define (problem x) (:domain d) (:init (p))
 (:goal (q))
 (:constraints (preference n (and (always (p)) (at end (p)))))
 (:metric minimize (is-violated n)))
