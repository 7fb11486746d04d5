(define (problem market-1)
  (:domain market)
  (:init (= (cash) 3)
         (= (fuel-used ) 0) ; as in markettrader of IPC 2023
         (= (price) 4))
  (:goal (and (sold) (= (cash) 7))))
