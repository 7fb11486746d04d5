(define (problem ferry-l3-c2)
  (:domain ferry)
  (:objects l0 l1 l2 c0 c1)
  (:init
    (empty-ferry)
    (at c0 l1)
    (at c1 l2)
    (at-ferry l2)
  )
  (:goal
    (and
      (at c0 l0)
      (at c1 l0)
    )
  )
)
