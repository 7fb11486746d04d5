(define (domain mystery-4ops)
  (:requirements :strips)
  (:predicates (province ?x) (planet ?x) (harmony) (pain ?x) (craves ?x ?y))
  (:action attack
    :parameters (?ob)
    :precondition (and (province ?ob) (planet ?ob) (harmony))
    :effect (and (pain ?ob) (not (province ?ob)) (not (planet ?ob)) (not (harmony))))
  (:action succumb
    :parameters (?ob)
    :precondition (pain ?ob)
    :effect (and (province ?ob) (harmony) (planet ?ob) (not (pain ?ob))))
  (:action overcome
    :parameters (?ob ?under)
    :precondition (and (province ?under) (pain ?ob))
    :effect (and (harmony) (province ?ob) (craves ?ob ?under) (not (province ?under)) (not (pain ?ob))))
  (:action feast
    :parameters (?ob ?under)
    :precondition (and (craves ?ob ?under) (province ?ob) (harmony))
    :effect (and (pain ?ob) (province ?under) (not (craves ?ob ?under)) (not (province ?ob)) (not (harmony)))))
