(define (problem x) (:domain d) (:init (q))
 (:goal (p))
 (:metric minimize (is-violated n)))
