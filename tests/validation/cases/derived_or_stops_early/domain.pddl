(define (domain early) (:requirements :adl :fluents :derived-predicates) (:predicates (p) (q) (done)) (:functions (f))
  (:derived (q) (or (p) (> (f) 0)))
  (:action go :parameters () :precondition (q) :effect (done)))
