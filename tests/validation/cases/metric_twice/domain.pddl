(define (domain m) (:functions (c)) (:predicates (p)) (:action go :parameters () :effect (p)))
