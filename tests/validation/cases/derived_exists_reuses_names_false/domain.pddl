(define (domain shadow) (:requirements :adl :derived-predicates) (:predicates (e ?x ?y) (d ?x) (n ?x) (done))
  (:derived (d ?x) (and (exists (?y) (e ?x ?y)) (exists (?y) (e ?y ?x)) (exists (?x) (n ?x))))
  (:action go :parameters (?x) :precondition (d ?x) :effect (done)))
