(define (domain d)
 (:requirements :typing :fluents :durative-actions :duration-inequalities :negative-preconditions :time :timed-initial-literals)
 (:predicates (on) (off) (spilt) (p) (q) (r) (fired))
 (:functions (x) (v) (a) (c))
 (:action start :parameters () :precondition (off) :effect (and (on) (not (off))))
 (:action stop :parameters () :precondition (on) :effect (and (off) (not (on))))
 (:process fill :parameters () :precondition (and (on) (< (x) 10)) :effect (and (increase (x) (* #t 2))))

)
