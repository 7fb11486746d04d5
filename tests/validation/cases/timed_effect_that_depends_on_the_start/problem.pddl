(define (problem x) (:domain doors)
 (:init (p))
 (:goal (done))
)
