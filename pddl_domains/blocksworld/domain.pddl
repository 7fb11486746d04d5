(define (domain blocksworld)
  (:requirements :strips)
  (:predicates (clear ?x) (ontable ?x) (handempty) (holding ?x) (on ?x ?y))

  (:action pick-up
   :parameters (?ob)
   :precondition (and (clear ?ob) (ontable ?ob) (handempty))
   :effect (and (holding ?ob)
                (not (clear ?ob)) (not (ontable ?ob)) (not (handempty))))

  (:action put-down
   :parameters (?ob)
   :precondition (holding ?ob)
   :effect (and (clear ?ob) (ontable ?ob) (handempty)
                (not (holding ?ob))))

  (:action stack
   :parameters (?ob ?underob)
   :precondition (and (holding ?ob) (clear ?underob))
   :effect (and (on ?ob ?underob) (clear ?ob) (handempty)
                (not (holding ?ob)) (not (clear ?underob))))

  (:action unstack
   :parameters (?ob ?underob)
   :precondition (and (on ?ob ?underob) (clear ?ob) (handempty))
   :effect (and (holding ?ob) (clear ?underob)
                (not (on ?ob ?underob)) (not (clear ?ob)) (not (handempty))))
)
