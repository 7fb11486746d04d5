(define (domain blocksworld-4ops)
  (:requirements :strips)
  (:predicates (clear ?x) (on-table ?x) (arm-empty) (holding ?x) (on ?x ?y))

  (:action pickup
   :parameters (?ob)
   :precondition (and (clear ?ob) (on-table ?ob) (arm-empty))
   :effect (and (holding ?ob)
                (not (clear ?ob)) (not (on-table ?ob)) (not (arm-empty))))

  (:action putdown
   :parameters (?ob)
   :precondition (holding ?ob)
   :effect (and (clear ?ob) (on-table ?ob) (arm-empty)
                (not (holding ?ob))))

  (:action stack
   :parameters (?ob ?underob)
   :precondition (and (holding ?ob) (clear ?underob))
   :effect (and (on ?ob ?underob) (clear ?ob) (arm-empty)
                (not (holding ?ob)) (not (clear ?underob))))

  (:action unstack
   :parameters (?ob ?underob)
   :precondition (and (on ?ob ?underob) (clear ?ob) (arm-empty))
   :effect (and (holding ?ob) (clear ?underob)
                (not (on ?ob ?underob)) (not (clear ?ob)) (not (arm-empty))))
)
