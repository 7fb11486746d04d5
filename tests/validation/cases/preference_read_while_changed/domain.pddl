(define (domain d) (:requirements :strips :preferences)
 (:predicates (p) (q))
 (:action on :parameters () :precondition (preference n (q)) :effect (p))
 (:action off :parameters () :precondition (and) :effect (not (q))))
