(define (problem p) (:domain neg) (:init) (:goal (p)))
