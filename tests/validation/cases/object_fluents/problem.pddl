(define (problem p) (:domain garage) (:objects c - car x y - place)
 (:init (= (at c) x) (= (depot) x) (= (next x) undefined) (road x y) (= (fuel c) 1)
  (at 5 (= (at c) y)))
 (:goal (and (= (at c) (next x)) (not (= depot y)))))
