(define (problem x) (:domain d) (:init (p))
 (:goal (q))
 (:constraints (preference n (hold-during 0 3 (p))))
 (:metric minimize (is-violated n)))
