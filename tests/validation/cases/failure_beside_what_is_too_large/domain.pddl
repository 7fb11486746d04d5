(define (domain lazy) (:requirements :adl) (:predicates (p) (w ?x) (done))
  (:action go :parameters () :precondition (and (p) (forall (?a ?b ?c ?d ?e ?f) (or (w ?a) (w ?b) (w ?c) (w ?d) (w ?e) (not (w ?f))))) :effect (done)))
