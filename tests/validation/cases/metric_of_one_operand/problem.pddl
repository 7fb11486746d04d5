(define (problem p) (:domain m) (:init (= (c) 4)) (:goal (p)) (:metric minimize (+ (c))))
