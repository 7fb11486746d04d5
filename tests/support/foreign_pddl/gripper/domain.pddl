; Untyped STRIPS in the manner of the first IPC: a robot with two hands carries balls between rooms.
(define (domain gripper-strips)
  (:predicates (room ?r) (ball ?b) (gripper ?g)
               (at-robby ?r) (at ?b ?r) (free ?g) (carry ?b ?g))

  (:action move
    :parameters (?here ?there)
    :precondition (and (room ?here) (room ?there) (at-robby ?here))
    :effect (and (at-robby ?there) (not (at-robby ?here))))

  (:action pick
    :parameters (?b ?r ?g)
    :precondition (and (ball ?b) (room ?r) (gripper ?g) (at-robby ?r) (at ?b ?r) (free ?g))
    :effect (and (carry ?b ?g) (not (at ?b ?r)) (not (free ?g))))

  (:action drop
    :parameters (?b ?r ?g)
    :precondition (and (ball ?b) (room ?r) (gripper ?g) (at-robby ?r) (carry ?b ?g))
    :effect (and (at ?b ?r) (free ?g) (not (carry ?b ?g)))))
