(define (problem x) (:domain d) (:init (p))
 (:goal (q))
 (:constraints (hold-during 2 4 (p))))
