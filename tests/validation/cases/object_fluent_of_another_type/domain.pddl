(define (domain garage)
 (:requirements :typing :equality :object-fluents :numeric-fluents :timed-initial-literals)
 (:types car place)
 (:predicates (road ?a ?b - place))
 (:functions (fuel ?c - car) - number
  (depot) (next ?a - place) (at ?c - car) - place
  (total-cost))
 (:action go :parameters (?c - car ?a ?b - place)
  :precondition (and (= (at ?c) ?a) (road (at ?c) ?b) (= (next ?a) (next depot)) (> (fuel ?c) 0))
  :effect (and (assign (at ?c) ?c) (assign (next ?a) undefined)))
)
