(define (domain d) (:requirements :strips :preferences :constraints)
 (:predicates (p) (q))
 (:action on :parameters () :precondition (and) :effect (and (when (preference n (q)) (p))))
 (:action off :parameters () :precondition (and) :effect (and (not (p)) (q))))
