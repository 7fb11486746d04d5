(define (problem i) (:domain d) (:init (= (x) 0)) (:goal (and (>= (x) 4) (p) (not (q)))))
