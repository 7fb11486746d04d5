(define (problem x) (:domain d) (:init (p))
 (:goal (and (q) (preference (not (p)))))
 (:constraints (preference (always (p))))
 (:metric minimize (+ 10 (* 3 (is-violated anonymous)))))
