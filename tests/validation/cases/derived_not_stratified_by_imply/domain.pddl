(define (domain neg) (:requirements :adl :derived-predicates) (:predicates (p) (q) (r))
  (:derived (q) (imply (r) (p)))
  (:derived (r) (imply (q) (p)))
  (:action go :parameters () :precondition (q) :effect (p)))
