(define (problem i) (:domain d)
 (:init (off) (= (x) 0) (= (v) 0) (= (a) 0) (= (c) 0))
 (:goal (and (>= (x) 9) (spilt))))
