  ;; Random games.
  ;;
  ;; A move is chosen by a race of exponential clocks: every instance that may act waits a time, and the shortest
  ;; acts. Times are exponential with the weight as rate (chance) or rate one, and come from the seed, the game,
  ;; the instance's label and how often that instance has raced in this game; nothing else. So two programs that
  ;; differ in one rule stay together in all other moves.
  ;;
  ;; A record of a game: how it ended and its number of moves (four bytes each), the last state, each player's
  ;; score (eight bytes), whether each has won, whether each event was met (a byte each).

  (memory $results (export "results") 1 65536)
  (memory $trace (export "trace") 1 65536)

  (global $seed (export "seed") (mut i64) (i64.const 0))
  (global $key (mut i64) (i64.const 0))                           ;; of the seed and the game

  ;; The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
  (func $mix (param $x i64) (result i64)
    (local.set $x (i64.mul (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 30)))
                           (i64.const 0xbf58476d1ce4e5b9)))
    (local.set $x (i64.mul (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 27)))
                           (i64.const 0x94d049bb133111eb)))
    (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 31))))

  ;; The natural logarithm of a number in (0, 1]: exponent and mantissa, then the series of the inverse
  ;; hyperbolic tangent; the same operations as in `reference.py`, so the same number.
  (func $ln (param $u f64) (result f64)
    (local $bits i64) (local $e f64) (local $m f64) (local $s f64) (local $t f64) (local $p f64)
    (local.set $bits (i64.reinterpret_f64 (local.get $u)))
    (local.set $e (f64.convert_i64_s (i64.sub (i64.shr_u (local.get $bits) (i64.const 52)) (i64.const 1023))))
    (local.set $m (f64.reinterpret_i64 (i64.or (i64.and (local.get $bits) (i64.const 0xfffffffffffff))
                                               (i64.const 0x3ff0000000000000))))
    (local.set $s (f64.div (f64.sub (local.get $m) (f64.const 1)) (f64.add (local.get $m) (f64.const 1))))
    (local.set $t (f64.mul (local.get $s) (local.get $s)))
    (local.set $p (f64.const 0))
    {series}
    (f64.add (f64.mul (local.get $e) (f64.const {ln2}))
             (f64.mul (f64.mul (f64.const 2) (local.get $s)) (local.get $p))))

  ;; The race of the instances listed in the batch before `$end` (instance, weight): which one wins.
  (func $race (param $end i32) (result i32)
    (local $p i32) (local $i i32) (local $n i32) (local $x i64) (local $time f64) (local $best f64)
    (local $winner i32)
    (local.set $p (i32.const {batch}))
    (local.set $best (f64.const -inf))
    (if (i32.eq (local.get $end) (i32.add (local.get $p) (i32.const 16))) (then  ;; nobody to race against
      (local.set $i (i32.shl (i32.load (local.get $p)) (i32.const 2)))
      (i32.store offset={counts} (local.get $i) (i32.add (i32.load offset={counts} (local.get $i)) (i32.const 1)))
      (return (i32.load (local.get $p)))))
    (loop $next
      (local.set $i (i32.load (local.get $p)))
      (local.set $n (i32.load offset={counts} (i32.shl (local.get $i) (i32.const 2))))
      (i32.store offset={counts} (i32.shl (local.get $i) (i32.const 2)) (i32.add (local.get $n) (i32.const 1)))
      (local.set $x (call $mix (i64.add
        (i64.xor (global.get $key) (i64.load offset={labels} (i32.shl (local.get $i) (i32.const 3))))
        (i64.mul (i64.extend_i32_u (local.get $n)) (i64.const 0x9e3779b97f4a7c15)))))
      (local.set $time (f64.div
        (call $ln (f64.mul (f64.add (f64.convert_i64_u (i64.shr_u (local.get $x) (i64.const 11))) (f64.const 0.5))
                           (f64.const {epsilon})))
        (f64.convert_i64_s (i64.load offset=8 (local.get $p)))))
      (if (f64.gt (local.get $time) (local.get $best)) (then
        (local.set $best (local.get $time))
        (local.set $winner (local.get $i))))
      (br_if $next (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const 16))) (local.get $end))))
    (local.get $winner))

  ;; Play `$count` games from number `$first` on, each of at most `$longest` moves; records from the beginning of
  ;; `$results`, moves of the last game in `$trace`. Ends: 0 over, 1 stopped, 2 stuck, 3 cut off, 4 chance and a
  ;; player may both act. Result: the games played; fewer than asked for after an end of kind 4.
  (func (export "play") (param $first i64) (param $count i32) (param $longest i32) (result i32)
    (local $n i32) (local $at i32) (local $steps i32) (local $end i32) (local $out i32) (local $i i32)
    (local $s%w i64)                                                                               ;; @word
    (loop $games
      (if (i32.ge_u (local.get $n) (local.get $count)) (then (return (local.get $n))))
      (global.set $key (call $mix (i64.add (call $mix (i64.add (global.get $seed) (i64.const 0x9e3779b97f4a7c15)))
        (i64.mul (i64.add (local.get $first) (i64.extend_i32_u (local.get $n))) (i64.const 0xd1342543de82ef95)))))
      (memory.fill (i32.const {seen}) (i32.const 0) (i32.const {events}))
      (memory.fill (i32.const {counts}) (i32.const 0) (i32.const {counts_bytes}))
      (local.set $s%w (i64.load offset=%o (i32.const {start})))                                    ;; @word
      (local.set $steps (i32.const 0))
      (block $ended (loop $moves
        (local.set $end (i32.const 0))
        (br_if $ended (call $over
          (local.get $s%w)                                                                         ;; @word
          ))
        (local.set $out (call $enabled
          (local.get $s%w)                                                                         ;; @word
          (i32.const {batch})))
        (local.set $end (i32.const 2))
        (br_if $ended (i32.eq (local.get $out) (i32.const {batch})))
        (local.set $end (i32.const 4))
        (br_if $ended (i32.eqz (local.get $out)))
        (local.set $end (i32.const 3))
        (br_if $ended (i32.ge_u (local.get $steps) (local.get $longest)))
        (local.set $i (call $race (local.get $out)))
        (i32.store $trace (i32.shl (local.get $steps) (i32.const 2)) (local.get $i))
        (global.set $head (i64.extend_i32_u (local.get $steps)))
        (local.set $steps (i32.add (local.get $steps) (i32.const 1)))
        (local.set $out (call_indirect (type $step)
          (local.get $s%w)                                                                         ;; @word
          (i32.const {batch}) (local.get $i)))
        (local.set $end (i32.const 1))
        (br_if $ended (i32.eq (local.get $out) (i32.const {batch})))
        (local.set $s%w (i64.load offset=%o (i32.const {batch})))                                  ;; @word
        (br $moves)))
      (local.set $at (i32.mul (local.get $n) (i32.const {record})))
      (i32.store $results (local.get $at) (local.get $end))
      (i32.store $results offset=4 (local.get $at) (local.get $steps))
      (local.set $at (i32.add (local.get $at) (i32.const 8)))
      (i64.store $results offset=%o (local.get $at) (local.get $s%w))                              ;; @word
      (call $count
        (local.get $s%w)                                                                           ;; @word
        (i32.add (local.get $at) (i32.const {bytes})))
      (memory.copy $results $scratch (i32.add (local.get $at) (i32.const {met_at})) (i32.const {seen})
        (i32.const {events}))
      (local.set $n (i32.add (local.get $n) (i32.const 1)))
      (br_if $games (i32.ne (local.get $end) (i32.const 4))))
    (local.get $n))
