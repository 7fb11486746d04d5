(define (domain d)
 (:requirements :typing :fluents :durative-actions :duration-inequalities :negative-preconditions :time :timed-initial-literals)
 (:predicates (on) (off) (spilt) (p) (q) (r) (fired))
 (:functions (x) (v) (a) (c))
 (:action lift :parameters () :precondition (<= (x) 0) :effect (and (increase (x) 1)))
 (:durative-action run :parameters () :duration (and (>= ?duration 0.001) (<= ?duration 100)) :condition (and (over all (> (x) 0))) :effect (and (increase (x) (* #t (v))) (increase (v) (* #t 2))))

)
