(define (problem small) (:domain rooms)
  (:objects rob hall kitchen attic)
  (:init (at rob hall) (door hall kitchen) (door kitchen attic))
  (:goal (at rob attic)))
