; floorplan: places p0, p1, ... row by row; '.' open, 'L' locked, 'w' wall
;   ..L..w..
;   ..w..L..
;   LwwwwwwL
;   ..L..w..
;   ..w..L..
;   wLwwwwww
;   ..w..L..
;   ..L..w..
(define (problem minigrid-1-0)
    (:domain minigrid)
    (:objects key0 - key p0 p1 p10 p11 p12 p13 p14 p15 p16 p17 p18 p19 p2 p20 p21 p22 p23 p24 p25 p26 p27 p28 p29 p3 p30 p31 p32 p33 p34 p35 p36 p37 p38 p39 p4 p40 p41 p42 p43 p44 p5 p6 p7 p8 p9 - place shape0 - shape)
    (:init (arm-empty) (at key0 p23) (at-robot p17) (conn p0 p1) (conn p0 p7) (conn p1 p0) (conn p1 p2) (conn p1 p8) (conn p10 p11) (conn p10 p4) (conn p10 p9) (conn p11 p10) (conn p11 p12) (conn p12 p11) (conn p12 p13) (conn p12 p5) (conn p13 p12) (conn p13 p15) (conn p13 p6) (conn p14 p16) (conn p14 p7) (conn p15 p13) (conn p15 p22) (conn p16 p14) (conn p16 p17) (conn p16 p23) (conn p17 p16) (conn p17 p18) (conn p17 p24) (conn p18 p17) (conn p18 p19) (conn p19 p18) (conn p19 p20) (conn p19 p25) (conn p2 p1) (conn p2 p3) (conn p20 p19) (conn p20 p26) (conn p21 p22) (conn p21 p28) (conn p22 p15) (conn p22 p21) (conn p22 p29) (conn p23 p16) (conn p23 p24) (conn p24 p17) (conn p24 p23) (conn p24 p30) (conn p25 p19) (conn p25 p26) (conn p26 p20) (conn p26 p25) (conn p26 p27) (conn p27 p26) (conn p27 p28) (conn p28 p21) (conn p28 p27) (conn p28 p29) (conn p29 p22) (conn p29 p28) (conn p3 p2) (conn p3 p4) (conn p3 p9) (conn p30 p24) (conn p30 p32) (conn p31 p32) (conn p31 p38) (conn p32 p30) (conn p32 p31) (conn p32 p39) (conn p33 p34) (conn p33 p41) (conn p34 p33) (conn p34 p35) (conn p34 p42) (conn p35 p34) (conn p35 p36) (conn p36 p35) (conn p36 p37) (conn p36 p43) (conn p37 p36) (conn p37 p44) (conn p38 p31) (conn p38 p39) (conn p39 p32) (conn p39 p38) (conn p39 p40) (conn p4 p10) (conn p4 p3) (conn p40 p39) (conn p40 p41) (conn p41 p33) (conn p41 p40) (conn p41 p42) (conn p42 p34) (conn p42 p41) (conn p43 p36) (conn p43 p44) (conn p44 p37) (conn p44 p43) (conn p5 p12) (conn p5 p6) (conn p6 p13) (conn p6 p5) (conn p7 p0) (conn p7 p14) (conn p7 p8) (conn p8 p1) (conn p8 p7) (conn p9 p10) (conn p9 p3) (key-shape key0 shape0) (lock-shape p11 shape0) (lock-shape p14 shape0) (lock-shape p15 shape0) (lock-shape p18 shape0) (lock-shape p2 shape0) (lock-shape p27 shape0) (lock-shape p30 shape0) (lock-shape p35 shape0) (lock-shape p40 shape0) (locked p11) (locked p14) (locked p15) (locked p18) (locked p2) (locked p27) (locked p30) (locked p35) (locked p40) (open p0) (open p1) (open p10) (open p12) (open p13) (open p16) (open p17) (open p19) (open p20) (open p21) (open p22) (open p23) (open p24) (open p25) (open p26) (open p28) (open p29) (open p3) (open p31) (open p32) (open p33) (open p34) (open p36) (open p37) (open p38) (open p39) (open p4) (open p41) (open p42) (open p43) (open p44) (open p5) (open p6) (open p7) (open p8) (open p9))
    (:goal (at-robot p0))
)
