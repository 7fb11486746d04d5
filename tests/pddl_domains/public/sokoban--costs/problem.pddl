(define (problem p001-sequential)
  (:domain sokoban-sequential)
  (:objects
    dir-down dir-left dir-right dir-up - direction
    player-01 - player
    pos-1-1 pos-1-2 pos-1-3 pos-2-1 pos-2-2 pos-2-3 pos-3-1 pos-3-2 pos-3-3
    pos-4-1 pos-4-2 pos-4-3 pos-5-1 pos-5-2 pos-5-3 pos-6-1 pos-6-2 pos-6-3 - location
    stone-01 - stone
  )
  (:init
    (IS-GOAL pos-5-2)
    (IS-NONGOAL pos-1-1) (IS-NONGOAL pos-1-2) (IS-NONGOAL pos-1-3) (IS-NONGOAL pos-2-1)
    (IS-NONGOAL pos-2-2) (IS-NONGOAL pos-2-3) (IS-NONGOAL pos-3-1) (IS-NONGOAL pos-3-2)
    (IS-NONGOAL pos-3-3) (IS-NONGOAL pos-4-1) (IS-NONGOAL pos-4-2) (IS-NONGOAL pos-4-3)
    (IS-NONGOAL pos-5-1) (IS-NONGOAL pos-5-3) (IS-NONGOAL pos-6-1) (IS-NONGOAL pos-6-2)
    (IS-NONGOAL pos-6-3)
    (MOVE-DIR pos-2-2 pos-3-2 dir-right) (MOVE-DIR pos-3-2 pos-2-2 dir-left)
    (MOVE-DIR pos-3-2 pos-4-2 dir-right) (MOVE-DIR pos-4-2 pos-3-2 dir-left)
    (MOVE-DIR pos-4-2 pos-5-2 dir-right) (MOVE-DIR pos-5-2 pos-4-2 dir-left)
    (at player-01 pos-2-2)
    (at stone-01 pos-3-2)
    (clear pos-4-2)
    (clear pos-5-2)
    (= (total-cost) 0)
  )
  (:goal (and
    (at-goal stone-01)
  ))
  (:metric minimize (total-cost))
)
