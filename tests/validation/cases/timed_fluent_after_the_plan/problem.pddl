(define (problem p) (:domain shop)
 (:init (open) (= (price) 7) (= (paid) 0) (at 2 (= (price) 5)) (at 10 (= (price) 50)) (at 12 (= (paid) 90)))
 (:goal (and (bought) (= (paid) 90)))
 (:metric minimize (+ (paid) (price))))
