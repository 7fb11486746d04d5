; Action costs: two short walks cost less than the one ride on the tram.
(define (domain errand)
  (:requirements :strips :typing :action-costs)
  (:types stop)
  (:predicates (me-at ?s - stop) (path ?from ?to - stop) (tram ?from ?to - stop) (done ?s - stop))
  (:functions (total-cost) - number (fare ?from ?to - stop) - number)

  (:action walk
    :parameters (?from ?to - stop)
    :precondition (and (me-at ?from) (path ?from ?to))
    :effect (and (me-at ?to) (not (me-at ?from)) (increase (total-cost) 1)))

  (:action ride
    :parameters (?from ?to - stop)
    :precondition (and (me-at ?from) (tram ?from ?to))
    :effect (and (me-at ?to) (not (me-at ?from)) (increase (total-cost) (fare ?from ?to))))

  (:action shop
    :parameters (?s - stop)
    :precondition (me-at ?s)
    :effect (and (done ?s) (increase (total-cost) 2))))
