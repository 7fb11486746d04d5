(define (problem x) (:domain d) (:init (p))
 (:goal (q))
 (:constraints (within soon (p))))
