(define (domain d)
 (:requirements :typing)
 (:types a b)
 (:predicates (p ?x - a) (q) (r))
 
 (:action go :parameters () :precondition (exists (?y - (either a b)) (p ?y)) :effect (q))
)
