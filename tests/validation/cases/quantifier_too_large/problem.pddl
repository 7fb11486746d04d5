(define (problem p) (:domain wide) (:objects a b c d e f g h i j k l m n o p) (:init (p a)) (:goal (done)))
