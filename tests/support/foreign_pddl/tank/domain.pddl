;; A tank that pumps fill: PDDL+, with a process and an event.
(define (domain tank)
  (:requirements :typing :numeric-fluents :negative-preconditions :time)
  (:types pump)
  (:predicates (on ?p - pump) (spilt))
  (:functions (level) (capacity) (flow ?p - pump))
  (:process fill
    :parameters (?p - pump)
    :precondition (on ?p)
    :effect (increase (level) (* #t (flow ?p))))
  (:event overflow
    :parameters ()
    :precondition (and (> (level) (capacity)) (not (spilt)))
    :effect (spilt))
  (:action open
    :parameters (?p - pump)
    :precondition (not (on ?p))
    :effect (on ?p))
  (:action close
    :parameters (?p - pump)
    :precondition (on ?p)
    :effect (not (on ?p))))
