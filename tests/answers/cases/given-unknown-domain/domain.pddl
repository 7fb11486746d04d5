(define (domain rooms)
  (:requirements :strips)
  (:predicates (at ?x ?y) (door ?x ?y))
  (:action go
    :parameters (?r ?from ?to)
    :precondition (and (at ?r ?from) (door ?from ?to))
    :effect (and (at ?r ?to) (not (at ?r ?from)))))
