(define (problem x) (:domain d) (:init (p))
 (:goal (exists (?x) (preference n (r ?x)))))
