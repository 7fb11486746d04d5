; Numbers: a van burns fuel by distance and may fill its tank at a pump.
(define (domain van)
  (:requirements :strips :typing :numeric-fluents)
  (:types town)
  (:predicates (van-in ?t - town) (pump-in ?t - town) (road ?from ?to - town))
  (:functions (fuel) (tank) (distance ?from ?to - town))

  (:action drive
    :parameters (?from ?to - town)
    :precondition (and (van-in ?from) (road ?from ?to) (>= (fuel) (distance ?from ?to)))
    :effect (and (van-in ?to) (not (van-in ?from)) (decrease (fuel) (distance ?from ?to))))

  (:action fill
    :parameters (?t - town)
    :precondition (and (van-in ?t) (pump-in ?t) (< (fuel) (tank)))
    :effect (assign (fuel) (tank))))
