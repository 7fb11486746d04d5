; Packages are carried by trucks inside cities and by airplanes between them.
(define (domain logistics)
  (:requirements :strips :typing)
  (:types place movable city - object
          airport - place
          package vehicle - movable
          truck airplane - vehicle)
  (:predicates (in-city ?x - place ?c - city)
               (at ?x - movable ?y - place)
               (in ?p - package ?v - vehicle))
  (:action load
    :parameters (?p - package ?v - vehicle ?x - place)
    :precondition (and (at ?p ?x) (at ?v ?x))
    :effect (and (in ?p ?v) (not (at ?p ?x))))
  (:action unload
    :parameters (?p - package ?v - vehicle ?x - place)
    :precondition (and (in ?p ?v) (at ?v ?x))
    :effect (and (at ?p ?x) (not (in ?p ?v))))
  (:action drive
    :parameters (?t - truck ?x ?y - place ?c - city)
    :precondition (and (at ?t ?x) (in-city ?x ?c) (in-city ?y ?c))
    :effect (and (at ?t ?y) (not (at ?t ?x))))
  (:action fly
    :parameters (?a - airplane ?x ?y - airport)
    :precondition (at ?a ?x)
    :effect (and (at ?a ?y) (not (at ?a ?x)))))
