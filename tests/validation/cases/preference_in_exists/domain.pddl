(define (domain d) (:requirements :strips :preferences :constraints)
 (:predicates (p) (q) (r ?x))
 (:action on :parameters () :precondition (and) :effect (and (p)))
 (:action off :parameters () :precondition (and) :effect (and (not (p)) (q))))
