(define (problem p) (:domain quant) (:objects a b) (:init (r a b) (r b a) (r a a)) (:goal (done)))
