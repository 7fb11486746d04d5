(define (domain d)
 (:requirements :strips)
 
 (:predicates (p ?x) (q) (r))
 (:functions (f))
 (:action go :parameters () :precondition (>= (f) 5) :effect (q))
)
