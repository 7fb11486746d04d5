(define (problem market-1)
  (:domain market)
  (:init (= (cash) 3)
         (= (price) 5) (= (price)
         4) ; the last value counts, as in VAL
         (= (price) 4))
  (:goal (and (sold) (= (cash) 7))))
