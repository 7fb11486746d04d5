(define (problem x) (:domain d) (:init (p))
 (:goal (and (q) (preference n (not (p)))))
 (:constraints (and))
 (:metric minimize (* 5 (is-violated n))))
