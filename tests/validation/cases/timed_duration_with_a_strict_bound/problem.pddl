(define (problem x) (:domain d) (:init (p)) (:goal (q)))
