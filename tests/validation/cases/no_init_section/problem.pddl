(define (problem x) (:domain d)
 (:objects a b)
 
 (:goal (q))
)
