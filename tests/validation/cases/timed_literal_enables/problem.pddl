(define (problem x) (:domain lamps)
 (:objects l1 l2 - lamp)
 (:init (power) (= (level) 1) (= (rate) 3) (at 1 (not (power))) (at 2 (power)))
 (:goal (hot l1))
 
)
