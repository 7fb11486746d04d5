(define (problem p) (:domain names) (:objects a) (:init (= (f a) 3)) (:goal (done)))
