(define (domain budget-blocksworld)
  (:requirements :strips :action-costs)
  (:predicates (clear ?x) (ontable ?x) (handempty) (holding ?x) (on ?x ?y))

  (:functions (total-cost) - number
              (pick-up-cost) - number (unstack-cost) - number
              (put-down-cost) - number (stack-cost) - number)

  (:action pick-up
   :parameters (?ob)
   :precondition (and (clear ?ob) (ontable ?ob) (handempty))
   :effect (and (holding ?ob)
                (not (clear ?ob)) (not (ontable ?ob)) (not (handempty))
                (increase (total-cost) (pick-up-cost))))

  (:action put-down
   :parameters (?ob)
   :precondition (holding ?ob)
   :effect (and (clear ?ob) (ontable ?ob) (handempty)
                (not (holding ?ob))
                (increase (total-cost) (put-down-cost))))

  (:action stack
   :parameters (?ob ?underob)
   :precondition (and (holding ?ob) (clear ?underob))
   :effect (and (on ?ob ?underob) (clear ?ob) (handempty)
                (not (holding ?ob)) (not (clear ?underob))
                (increase (total-cost) (stack-cost))))

  (:action unstack
   :parameters (?ob ?underob)
   :precondition (and (on ?ob ?underob) (clear ?ob) (handempty))
   :effect (and (holding ?ob) (clear ?underob)
                (not (on ?ob ?underob)) (not (clear ?ob)) (not (handempty))
                (increase (total-cost) (unstack-cost))))
)
