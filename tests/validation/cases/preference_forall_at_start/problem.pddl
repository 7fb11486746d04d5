(define (problem x) (:domain d) (:init (q a))
 (:goal (p))
 (:metric minimize (is-violated n)))
