(define (problem evening) (:domain lamp)
  (:init (= (wick) 2)) (:goal (lit)))
