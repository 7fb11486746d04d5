(define (domain d) (:requirements :numeric-fluents :preferences) (:predicates (p) (q)) (:functions (f))
 (:action a :parameters () :precondition (p) :effect (q)))
