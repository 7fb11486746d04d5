(define (domain sokoban-sequential)
  (:requirements :typing :action-costs)
  (:types thing location direction - object
          player stone - thing)
  (:predicates (clear ?l - location)
               (at ?t - thing ?l - location)
               (at-goal ?s - stone)
               (is-goal ?l - location)
               (is-nongoal ?l - location)
               (move-dir ?from ?to - location ?dir - direction))
  (:functions (total-cost) - number)

  (:action move
   :parameters (?p - player ?from ?to - location ?dir - direction)
   :precondition (and (at ?p ?from) (clear ?to) (move-dir ?from ?to ?dir))
   :effect (and (at ?p ?to) (clear ?from)
                (not (at ?p ?from)) (not (clear ?to))))

  (:action push-to-nongoal
   :parameters (?p - player ?s - stone ?ppos ?from ?to - location ?dir - direction)
   :precondition (and (at ?p ?ppos) (at ?s ?from) (clear ?to) (is-nongoal ?to)
                      (move-dir ?ppos ?from ?dir) (move-dir ?from ?to ?dir))
   :effect (and (at ?p ?from) (at ?s ?to) (clear ?ppos)
                (not (at ?p ?ppos)) (not (at ?s ?from)) (not (clear ?to))
                (not (at-goal ?s)) (increase (total-cost) 1)))

  (:action push-to-goal
   :parameters (?p - player ?s - stone ?ppos ?from ?to - location ?dir - direction)
   :precondition (and (at ?p ?ppos) (at ?s ?from) (clear ?to) (is-goal ?to)
                      (move-dir ?ppos ?from ?dir) (move-dir ?from ?to ?dir))
   :effect (and (at ?p ?from) (at ?s ?to) (clear ?ppos) (at-goal ?s)
                (not (at ?p ?ppos)) (not (at ?s ?from)) (not (clear ?to))
                (increase (total-cost) 1)))
)
