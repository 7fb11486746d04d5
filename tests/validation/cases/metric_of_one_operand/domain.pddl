(define (domain m) (:functions (c)) (:predicates (p)) (:action go :parameters () :precondition () :effect (p)))
