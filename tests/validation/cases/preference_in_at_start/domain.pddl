(define (domain d) (:requirements :strips :preferences :durative-actions)
 (:predicates (p) (q))
 (:durative-action on :parameters () :duration (= ?duration 1) :condition (and (at start (preference n (q))))
  :effect (and (at end (p)))))
