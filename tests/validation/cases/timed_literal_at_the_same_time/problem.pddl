(define (problem x) (:domain lamps)
 (:objects l1 l2 - lamp)
 (:init (power) (= (level) 1) (= (rate) 3) (at 2 (not (power))))
 (:goal (and))
 
)
