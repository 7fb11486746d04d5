(define (problem coffee-1) (:domain coffee)
 (:objects mug1 mug2 - cup shelf1 - shelf brewer - machine seat1 seat2 - seat)
 (:init (on-shelf mug1 shelf1) (on-shelf mug2 shelf1) (hand-free))
 (:goal (and (full mug1) (served mug1 seat1))))
