(define (problem x) (:domain d) (:objects a - thing) (:init (p)) (:goal (and (q) (r) (not (p)))))
