; Blocksworld under names that mean nothing, as in PlanBench's data.
(define (domain mystery-4ops)
  (:requirements :strips)
  (:predicates (harmony) (province ?o) (planet ?o) (pain ?o) (craves ?o ?other))

  (:action attack
    :parameters (?o)
    :precondition (and (harmony) (planet ?o) (province ?o))
    :effect (and (pain ?o) (not (harmony)) (not (planet ?o)) (not (province ?o))))

  (:action succumb
    :parameters (?o)
    :precondition (pain ?o)
    :effect (and (harmony) (planet ?o) (province ?o) (not (pain ?o))))

  (:action overcome
    :parameters (?o ?other)
    :precondition (and (pain ?o) (province ?other))
    :effect (and (harmony) (province ?o) (craves ?o ?other)
                 (not (pain ?o)) (not (province ?other))))

  (:action feast
    :parameters (?o ?other)
    :precondition (and (harmony) (province ?o) (craves ?o ?other))
    :effect (and (pain ?o) (province ?other)
                 (not (harmony)) (not (province ?o)) (not (craves ?o ?other)))))
