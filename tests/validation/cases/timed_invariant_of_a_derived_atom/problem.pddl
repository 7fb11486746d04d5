(define (problem p) (:domain d)
  (:objects a b c)
  (:init (edge a b) (edge b c) (lit))
  (:goal (done)))
