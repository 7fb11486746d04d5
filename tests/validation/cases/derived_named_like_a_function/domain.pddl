(define (domain names) (:requirements :adl :fluents :derived-predicates) (:predicates (f ?x) (done)) (:functions (f ?x))
  (:derived (f ?x) (not (< (f ?x) 3)))
  (:action go :parameters (?x) :precondition (f ?x) :effect (done)))
