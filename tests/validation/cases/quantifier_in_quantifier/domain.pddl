(define (domain quant) (:requirements :adl) (:predicates (r ?x ?y) (done))
  (:action go :parameters (?a) :precondition (forall (?x) (exists (?y) (and (r ?x ?y) (not (= ?x ?y)) (r ?y ?a)))) :effect (done)))
