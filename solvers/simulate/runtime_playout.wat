  ;; Random games.
  ;;
  ;; A move is chosen by a race of exponential clocks: every instance that may act waits a time, and the shortest
  ;; acts. Times are exponential with the weight as rate (chance) or rate one, and come from a draw of 64 bits
  ;; that depends on the seed, the game, the instance's label and how often that instance has raced in this game;
  ;; on nothing else. So two programs that differ in one rule stay together in all other moves. Of equal weights
  ;; the greatest draw has the shortest time. The generated code draws where it finds that an instance may act.
  ;;
  ;; A record of a game: how it ended and its number of moves (four bytes each), the last state, each player's
  ;; score (eight bytes), whether each has won, whether each event was met (a byte each).

  (memory $results (export "results") 1 65536)
  (memory $trace (export "trace") 1 65536)

  (global $seed (export "seed") (mut i64) (i64.const 0))
  (global $key (mut i64) (i64.const 0))                           ;; of the seed and the game

  ;; What a draw is made of: see `clocks.py`.
  (func $mix (param $x i64) (result i64)
    {mix}
    )

  ;; The natural logarithm of a number in (0, 1]: exponent and mantissa, then the series of the inverse
  ;; hyperbolic tangent; the same operations as in `clocks.py`, so the same number.
  (func $ln (param $u f64) (result f64)
    (local $bits i64) (local $e i64) (local $m f64) (local $s f64) (local $t f64) (local $p f64)
    (local.set $bits (i64.reinterpret_f64 (local.get $u)))
    (local.set $e (i64.shr_s (i64.sub (local.get $bits) (i64.const {root_half})) (i64.const 52)))
    (local.set $m (f64.reinterpret_i64 (i64.sub (local.get $bits) (i64.shl (local.get $e) (i64.const 52)))))
    (local.set $s (f64.div (f64.sub (local.get $m) (f64.const 1)) (f64.add (local.get $m) (f64.const 1))))
    (local.set $t (f64.mul (local.get $s) (local.get $s)))
    (local.set $p (f64.const 0))
    {series}
    (f64.add (f64.mul (f64.convert_i64_s (local.get $e)) (f64.const {ln2}))
             (f64.mul (f64.mul (f64.const 2) (local.get $s)) (local.get $p))))

  ;; The logarithm of a draw as a number between 0 and 1, by its weight.
  (func $time (param $x i64) (param $weight i64) (result f64)
    (f64.div
      (call $ln (f64.mul (f64.add (f64.convert_i64_u (i64.shr_u (local.get $x) (i64.const 11))) (f64.const 0.5))
                         (f64.const {epsilon})))
      (f64.convert_i64_s (local.get $weight))))

  ;; Whether a clock rings before another one (0, 0: nobody has raced yet). The greater draw wins unless its
  ;; weight is the smaller one; only then logarithms have to tell.
  (func $beats (param $x i64) (param $weight i64) (param $other i64) (param $rival i64) (result i32)
    (if (i64.gt_u (local.get $x) (local.get $other))
      (then (if (i64.ge_s (local.get $weight) (local.get $rival)) (then (return (i32.const 1)))))
      (else (if (i64.le_s (local.get $weight) (local.get $rival)) (then (return (i32.const 0))))))
    (f64.gt (call $time (local.get $x) (local.get $weight))
            (call $time (local.get $other) (local.get $rival))))

  ;; Play `$count` games from number `$first` on, each of at most `$longest` moves; records from the beginning of
  ;; `$results`, moves of the last game in `$trace`. Ends: 0 over, 1 stopped, 2 stuck, 3 cut off, 4 chance and a
  ;; player may both act. Result: the games played; fewer than asked for after an end of kind 4.
  (func (export "play") (param $first i64) (param $count i32) (param $longest i32) (result i32)
    (local $n i32) (local $at i32) (local $steps i32) (local $end i32) (local $out i32) (local $i i32)
    (local $s%w i64)                                                                               ;; @word
    (loop $games
      (if (i32.ge_u (local.get $n) (local.get $count)) (then (return (local.get $n))))
      (global.set $key (call $mix (i64.add (call $mix (i64.add (global.get $seed) (i64.const {gamma})))
        (i64.mul (i64.add (local.get $first) (i64.extend_i32_u (local.get $n))) (i64.const {game})))))
      (memory.fill (i32.const {seen}) (i32.const 0) (i32.const {events}))
      (memory.fill (i32.const {counts}) (i32.const 0) (i32.const {counts_bytes}))
      (local.set $s%w (i64.load offset=%o (i32.const {start})))                                    ;; @word
      (local.set $steps (i32.const 0))
      (block $ended (loop $moves
        (local.set $i (call $enabled
          (local.get $s%w)                                                                         ;; @word
          (i32.const {nobody})))
        (if (i32.le_u (local.get $i) (i32.const {nobody})) (then
          (local.set $end (select (i32.const 4)
            (select (i32.const 0) (i32.const 2) (i32.eq (local.get $i) (i32.const {over})))
            (i32.eqz (local.get $i))))
          (br $ended)))
        (local.set $end (i32.const 3))
        (br_if $ended (i32.ge_u (local.get $steps) (local.get $longest)))
        (i32.store $trace (i32.shl (local.get $steps) (i32.const 2)) (local.get $i))
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
