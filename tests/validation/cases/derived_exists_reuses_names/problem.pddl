(define (problem p) (:domain shadow) (:objects a b c) (:init (e a b) (e b c) (n c)) (:goal (done)))
