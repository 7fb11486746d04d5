(define (problem p) (:domain early) (:init (p)) (:goal (done)))
