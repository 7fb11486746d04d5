(define (domain countdown-rational)
  (:requirements :typing :negative-preconditions :equality :numeric-fluents)
  (:types num - object)
  (:predicates (active ?o - num) (goalreached))

  (:functions (numerator ?o - num) (denominator ?o - num)
              (targetvalue) (numactive))

  (:action add
   :parameters (?a ?b - num)
   :precondition (and (not (= ?a ?b)) (active ?a) (active ?b))
   :effect (and (not (active ?b)) (decrease (numactive) 1)
                (assign (numerator ?a) (+ (* (numerator ?a) (denominator ?b))
                                          (* (numerator ?b) (denominator ?a))))
                (assign (denominator ?a) (* (denominator ?a) (denominator ?b)))))

  (:action subtract
   :parameters (?a ?b - num)
   :precondition (and (not (= ?a ?b)) (active ?a) (active ?b)
                      (>= (* (numerator ?a) (denominator ?b))
                          (* (numerator ?b) (denominator ?a))))
   :effect (and (not (active ?b)) (decrease (numactive) 1)
                (assign (numerator ?a) (- (* (numerator ?a) (denominator ?b))
                                          (* (numerator ?b) (denominator ?a))))
                (assign (denominator ?a) (* (denominator ?a) (denominator ?b)))))

  (:action multiply
   :parameters (?a ?b - num)
   :precondition (and (not (= ?a ?b)) (active ?a) (active ?b))
   :effect (and (not (active ?b)) (decrease (numactive) 1)
                (assign (numerator ?a) (* (numerator ?a) (numerator ?b)))
                (assign (denominator ?a) (* (denominator ?a) (denominator ?b)))))

  (:action divide
   :parameters (?a ?b - num)
   :precondition (and (> (numerator ?b) 0) (not (= ?a ?b))
                      (active ?a) (active ?b))
   :effect (and (not (active ?b)) (decrease (numactive) 1)
                (assign (numerator ?a) (* (numerator ?a) (denominator ?b)))
                (assign (denominator ?a) (* (denominator ?a) (numerator ?b)))))

  (:action checkgoal
   :parameters (?a - num)
   :precondition (and (active ?a) (= (numactive) 1)
                      (= (numerator ?a) (* (targetvalue) (denominator ?a))))
   :effect (and (goalreached)))
)
