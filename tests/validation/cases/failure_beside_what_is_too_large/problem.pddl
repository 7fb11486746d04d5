(define (problem p) (:domain lazy) (:objects a b c d e f g h i j k l) (:init) (:goal (done)))
