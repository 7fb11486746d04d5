(define (domain d)
 (:requirements :strips)
 
 (:predicates (p ?x) (q) (r))
 
 (:action go :parameters () :precondition () :effect (q))
)
