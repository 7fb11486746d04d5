(define (problem x) (:domain d)
 (:objects a b)
 (:init ) ; nothing yet (:goal (q))
)
