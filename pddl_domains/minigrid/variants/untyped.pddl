(define (domain grid)
  (:predicates (place ?x) (key ?k) (shape ?s)
               (conn ?x ?y) (open ?x) (locked ?x)
               (key-shape ?k ?s) (lock-shape ?x ?s)
               (at ?k ?x) (at-robot ?x) (holding ?k) (arm-empty))

  (:action unlock
   :parameters (?cur ?lock ?key ?shape)
   :precondition (and (place ?cur) (place ?lock) (key ?key) (shape ?shape)
                      (conn ?cur ?lock) (key-shape ?key ?shape)
                      (lock-shape ?lock ?shape) (at-robot ?cur)
                      (locked ?lock) (holding ?key))
   :effect (and (open ?lock) (not (locked ?lock))))

  (:action move
   :parameters (?cur ?next)
   :precondition (and (place ?cur) (place ?next)
                      (at-robot ?cur) (conn ?cur ?next) (open ?next))
   :effect (and (at-robot ?next) (not (at-robot ?cur))))

  (:action pickup
   :parameters (?cur ?key)
   :precondition (and (place ?cur) (key ?key)
                      (at-robot ?cur) (at ?key ?cur) (arm-empty))
   :effect (and (holding ?key) (not (at ?key ?cur)) (not (arm-empty))))

  (:action pickup-and-loose
   :parameters (?cur ?new ?old)
   :precondition (and (place ?cur) (key ?new) (key ?old)
                      (at-robot ?cur) (holding ?old) (at ?new ?cur))
   :effect (and (holding ?new) (at ?old ?cur)
                (not (holding ?old)) (not (at ?new ?cur))))

  (:action putdown
   :parameters (?cur ?key)
   :precondition (and (place ?cur) (key ?key) (at-robot ?cur) (holding ?key))
   :effect (and (at ?key ?cur) (arm-empty) (not (holding ?key))))
)
