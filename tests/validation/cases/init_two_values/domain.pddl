(define (domain market)
  (:requirements :numeric-fluents)
  (:predicates (sold))
  (:functions (cash) (price))
  (:action sell
    :parameters ()
    :precondition ()
    :effect (and (sold) (increase (cash) (price)))))
