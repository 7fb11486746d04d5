(define (domain lights)
  (:requirements :strips :typing)
  (:types lamp)
  (:predicates (on ?l - lamp) (off ?l - lamp))
  (:action switch
    :parameters (?l - lamp)
    :precondition (off ?l)
    :effect (and (on ?l) (not (off ?l)))))
