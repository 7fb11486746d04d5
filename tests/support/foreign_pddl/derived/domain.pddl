; Derived predicates: what is wired to a running generator, over any number of lines, has power.
(define (domain grid)
  (:requirements :strips :typing :derived-predicates)
  (:types node)
  (:predicates (generator ?n - node) (line ?a ?b - node) (running ?n - node) (closed ?a ?b - node)
               (powered ?n - node))

  (:derived (powered ?n - node)
    (or (running ?n)
        (exists (?m - node) (and (powered ?m) (closed ?m ?n)))))

  (:action start
    :parameters (?n - node)
    :precondition (generator ?n)
    :effect (running ?n))

  (:action close
    :parameters (?a ?b - node)
    :precondition (and (line ?a ?b) (powered ?a))
    :effect (closed ?a ?b)))
