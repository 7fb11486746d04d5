(define (problem i) (:domain drag) (:init (= (v) 0) (= (d) 0) (= (most) 3))
 (:goal (and (<= (v) 0.1) (>= (d) 20))))
