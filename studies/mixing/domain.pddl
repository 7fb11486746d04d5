; Portions of a solution are poured into a beaker, and water is added, until the mass fraction of the
; solute is that of a sample. The sample is weighed first.
(define (domain mixing)
  (:requirements :strips :typing :negative-preconditions :numeric-fluents)
  (:types portion - object)
  (:predicates (left ?p - portion) (weighed))
  (:functions (mass ?p - portion) (solute ?p - portion) (mixedmass) (mixedsolute)
              (water) (neededmass) (givenmass) (givensolute) (samplemass) (samplesolute))

  (:action weigh
   :parameters ()
   :precondition (not (weighed))
   :effect (and (weighed) (assign (samplemass) (givenmass)) (assign (samplesolute) (givensolute))))

  (:action pour
   :parameters (?p - portion)
   :precondition (and (weighed) (left ?p))
   :effect (and (not (left ?p))
                (increase (mixedmass) (mass ?p))
                (increase (mixedsolute) (solute ?p))))

  (:action dilute
   :parameters ()
   :precondition (and (weighed) (>= (water) 1))
   :effect (and (increase (mixedmass) 1) (decrease (water) 1)))
)
