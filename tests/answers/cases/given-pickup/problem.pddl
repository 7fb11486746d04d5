(define (problem small) (:domain blocksworld-4ops)
  (:objects b1 b2)
  (:init (arm-empty) (clear b1) (on-table b1) (clear b2) (on-table b2))
  (:goal (and (on b1 b2))))
