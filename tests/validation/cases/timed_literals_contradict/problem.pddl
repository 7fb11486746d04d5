(define (problem evening) (:domain lamp)
  (:init (power) (at 3 (power)) (at 3 (not (power))))
  (:goal (lit)))
