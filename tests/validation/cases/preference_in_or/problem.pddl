(define (problem x) (:domain d) (:init (p))
 (:goal (or (q) (preference n (p)))))
