(define (problem x) (:domain d) (:init (p))
 (:goal (q))
 (:constraints (and (eventually (p))))
 (:metric minimize 1))
