(define (domain d) (:requirements :durative-actions :conditional-effects) (:predicates (p) (q))
 (:durative-action a :parameters () :duration (= ?duration 0)
  :condition (and) :effect (and (when (at start (p)) (at end (q))))))
