(define (domain lamp) (:requirements :strips :durative-actions :timed-initial-literals)
  (:predicates (power) (lit))
  (:durative-action burn :parameters () :duration (= ?duration 2)
    :condition (at start (power)) :effect (at start (lit))))
