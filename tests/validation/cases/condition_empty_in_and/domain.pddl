(define (domain d)
 (:requirements :strips)
 
 (:predicates (p ?x) (q) (r))
 
 (:action go :parameters () :precondition (and () (r)) :effect (q))
)
