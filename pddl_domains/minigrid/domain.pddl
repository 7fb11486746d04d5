(define (domain minigrid)
  (:requirements :strips :typing)
  (:types place key shape - object)
  (:predicates (conn ?x ?y - place) (open ?x - place) (locked ?x - place)
               (key-shape ?k - key ?s - shape) (lock-shape ?x - place ?s - shape)
               (at ?k - key ?x - place) (at-robot ?x - place)
               (holding ?k - key) (arm-empty))

  (:action unlock
   :parameters (?cur ?lock - place ?key - key ?shape - shape)
   :precondition (and (conn ?cur ?lock) (key-shape ?key ?shape)
                      (lock-shape ?lock ?shape) (at-robot ?cur)
                      (locked ?lock) (holding ?key))
   :effect (and (open ?lock) (not (locked ?lock))))

  (:action move
   :parameters (?cur ?next - place)
   :precondition (and (at-robot ?cur) (conn ?cur ?next) (open ?next))
   :effect (and (at-robot ?next) (not (at-robot ?cur))))

  (:action pickup
   :parameters (?cur - place ?key - key)
   :precondition (and (at-robot ?cur) (at ?key ?cur) (arm-empty))
   :effect (and (holding ?key) (not (at ?key ?cur)) (not (arm-empty))))

  (:action pickup-and-loose
   :parameters (?cur - place ?new ?old - key)
   :precondition (and (at-robot ?cur) (holding ?old) (at ?new ?cur))
   :effect (and (holding ?new) (at ?old ?cur)
                (not (holding ?old)) (not (at ?new ?cur))))

  (:action putdown
   :parameters (?cur - place ?key - key)
   :precondition (and (at-robot ?cur) (holding ?key))
   :effect (and (at ?key ?cur) (arm-empty) (not (holding ?key))))
)
