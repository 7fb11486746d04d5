(define (problem x) (:domain tank)
 (:init (open) (= (level) 0) (= (size) 504) (= (rate) 100) (at 5.02 (not (open))))
 (:goal (done))
)
