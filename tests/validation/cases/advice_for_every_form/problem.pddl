(define (problem r) (:domain forms) (:objects b c) (:init (= (x) 0.5) (p c)) (:goal (q)))
