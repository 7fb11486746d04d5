(define (domain testdom)
 (:requirements :adl :typing)
 (:types - object part - object board - object
  - part)
 (:predicates (cut ?x - part))
 (:action saw :parameters (?x - part - board) :precondition () :effect (cut ?x))
)
