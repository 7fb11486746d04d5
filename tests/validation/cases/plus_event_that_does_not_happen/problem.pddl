(define (problem x) (:domain tanks)
 (:init (open) (= (level) 0))
 (:goal (full))
)
