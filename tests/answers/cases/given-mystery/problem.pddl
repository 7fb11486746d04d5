(define (problem small) (:domain mystery-4ops)
  (:objects a b c)
  (:init (harmony) (planet a) (planet c) (craves b c) (province a) (province b))
  (:goal (craves c a)))
