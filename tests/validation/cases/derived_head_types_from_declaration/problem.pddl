(define (problem p) (:domain chain) (:objects a b c d - node)
  (:init (edge a b) (edge b c) (edge c d) (broken a))
  (:goal (done)))
