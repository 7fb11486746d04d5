(define (problem x) (:domain d) (:init (p))
 (:goal (q))
 (:constraints (hold-after 1 (p))))
