(define (domain wide) (:requirements :adl) (:predicates (p ?x) (done))
  (:action go :parameters () :effect (done)
    :precondition (forall (?a ?b ?c ?d ?e ?f ?g ?h ?i) (or (p ?a) (p ?b) (p ?c) (p ?d) (p ?e)))))
