(define (domain countdown)
  (:requirements :typing :negative-preconditions :equality :numeric-fluents)
  (:types num - object)
  (:predicates (active ?o - num) (goalreached))

  (:functions (value ?o - num) (targetvalue) (numactive))

  (:action add
   :parameters (?a ?b - num)
   :precondition (and (not (= ?a ?b)) (active ?a) (active ?b))
   :effect (and (decrease (numactive) 1)
                (increase (value ?a) (value ?b))
                (not (active ?b))))

  (:action subtract
   :parameters (?a ?b - num)
   :precondition (and (not (= ?a ?b)) (active ?a) (active ?b)
                      (>= (value ?a) (value ?b)))
   :effect (and (not (active ?b)) (decrease (numactive) 1)
                (decrease (value ?a) (value ?b))))

  (:action multiply
   :parameters (?a ?b - num)
   :precondition (and (not (= ?a ?b)) (active ?a) (active ?b))
   :effect (and (not (active ?b)) (decrease (numactive) 1)
                (assign (value ?a) (* (value ?a) (value ?b)))))

  (:action divide
   :parameters (?a ?b - num)
   :precondition (and (> (value ?b) 0) (not (= ?a ?b))
                      (active ?a) (active ?b))
   :effect (and (not (active ?b)) (decrease (numactive) 1)
                (assign (value ?a) (/ (value ?a) (value ?b)))))

  (:action checkgoal
   :parameters (?a - num)
   :precondition (and (active ?a) (= (numactive) 1)
                      (= (value ?a) (targetvalue)))
   :effect (and (goalreached)))
)
