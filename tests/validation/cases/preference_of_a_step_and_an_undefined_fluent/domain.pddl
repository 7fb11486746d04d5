(define (domain d) (:requirements :numeric-fluents :preferences) (:predicates (p) (q)) (:functions (f))
 (:action a :parameters () :precondition (and (p) (preference g (> (f) 0))) :effect (q)))
