(define (problem x) (:domain d) (:init (p))
 (:goal (q))
 (:constraints (preference n (hold-after 5 (p))))
 (:metric minimize (is-violated n)))
