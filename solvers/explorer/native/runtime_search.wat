  ;; Breadth-first search over packed states.
  ;;
  ;; `$log` holds every state found, in breadth-first order; it is the queue as well: states before `$head` are
  ;; expanded. `$marks` holds, for each 256 expanded states, how long the log was then: the parent of a state is
  ;; among the 256 between whose marks it lies.
  ;;
  ;; `$table` is a hash table of lines of eight entries, one cache line each. A state belongs to the line that
  ;; the top bits of its hash choose, and to the next line with room where that one is full; lines fill from
  ;; their first entry on and nothing is ever taken out, so a search ends at the first line that is not full.
  ;; As lines are in the order of hashes, the table grows in place.
  ;;
  ;; Successors are looked up in batches: first the home line of each is searched (loads that do not wait for
  ;; each other, no branches), and what is found there is dropped; then the rest is entered in order.
  ;;
  ;; Marked lines: @word is repeated for each word of a state (%w its number, %o its offset), @quarter for each
  ;; pair of entries of a line (%b its offset, %s twice its number). @one belongs to searches that keep one-word
  ;; states in the table itself, @index to those that keep 32 bits of hash and the position in the log plus one;
  ;; @graph to searches that keep the transitions, @plain to the others.
  ;;
  ;; An entry of a batch: the words; the instance (top bit: the step stopped) and 32 bits of hash; with @index
  ;; the first match in the home line. With @one the address of the home line replaces instance and hash.

  (memory $table (export "table") {address} {table_pages} {most_pages})
  (memory $log (export "log") {address} {log_pages} {most_pages})
  (memory $marks (export "marks") {address} 1 {most_pages})
  (memory $edges (export "edges") {address} 1 {most_pages})      ;; @graph
  (memory $rows (export "rows") {address} 1 {most_pages})        ;; @graph

  (global $tail (export "tail") (mut i64) (i64.const 0))         ;; states found
  (global $level (export "level") (mut i64) (i64.const 1))       ;; where the level being expanded ends
  (global $depth (export "depth") (mut i64) (i64.const 0))       ;; its distance from the setup
  (global $lines (export "lines") (mut i64) (i64.const {lines})) ;; home lines of the table
  (global $total (export "total") (mut i64) (i64.const {total})) ;; all its lines: some more for what overflows
  (global $room (export "room") (mut i64) (i64.const {room}))    ;; states that fit before something must grow
  (global $touched (mut i64) (i64.const 0))                      ;; keeps the loads of home lines alive     @one
  (global $found (export "found") (mut i32) (i32.const 0))       ;; the instance that `parent` found
  (global $steps (export "steps") (mut i64) (i64.const 0))       ;; transitions kept            @graph
  (global $edge_room (export "edge_room") (mut i64) (i64.const 8192))                                  ;; @graph

  ;; Look the batch up that ends before `$end`; states not known yet go to the end of the log.
  (func $insert (param $end i32)
    (local $p i32) (local $q i32) (local $at {A}) (local $h i64) (local $k i64) (local $n {A}) (local $z i32)
    (local $tail i64) (local $hit v128) (local $v v128)
    (local $c%w i64)                                                                               ;; @word
    (local $t i32)                                                                                 ;; @index
    (local.set $p (i32.const {batch}))
    (local.set $q (i32.const {batch}))
    (if (i32.eq (local.get $p) (local.get $end)) (then (return)))

    (loop $home
      (local.set $c%w (i64.load offset=%o (local.get $p)))                                         ;; @word
      (local.set $h (i64.const 0))                                                                 ;; @index
      (local.set $h (i64.mul (local.get $c0) (i64.const {K1})))                                    ;; @one
      (local.set $h (i64.xor (local.get $h) (i64.shr_u (local.get $h) (i64.const 32))))            ;; @one
      (local.set $h (i64.mul (i64.xor (local.get $h) (local.get $c%w)) (i64.const {K1})))          ;; @index @word
      (local.set $h (i64.xor (local.get $h) (i64.shr_u (local.get $h) (i64.const 32))))            ;; @index @word
      (local.set $h (i64.shr_u (i64.mul (local.get $h) (i64.const {K2})) (i64.const 32)))
      (local.set $at ({wrap} (i64.shl (i64.shr_u (i64.mul (local.get $h) (global.get $lines)) (i64.const 32))
                                      (i64.const 6))))
      (i64.store offset=8 (local.get $p) ({unwrap} (local.get $at)))                               ;; @one
      (local.set $k (i64.xor (local.get $k) (i64.load $table (local.get $at))))                    ;; @one
      (local.set $v (i64x2.splat (local.get $h)))                                                  ;; @index
      (local.set $z (i32.const 0))                                                                 ;; @index
      (local.set $z (i32.or (local.get $z) (i32.shl (i64x2.bitmask (i64x2.eq                       ;; @index @quarter
        (i64x2.shr_u (v128.load $table offset=%b (local.get $at)) (i32.const 32))                  ;; @index @quarter
        (local.get $v))) (i32.const %s))))                                                         ;; @index @quarter
      (i32.store offset={hash_at} (local.get $p) (i32.wrap_i64 (local.get $h)))                    ;; @index
      (i64.store offset={entry_at} (local.get $p) (i64.load $table ({A}.add (local.get $at)        ;; @index
        ({from32} (i32.shl (i32.and (i32.ctz (local.get $z)) (i32.const 7)) (i32.const 3))))))     ;; @index
      (br_if $home (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const {stride}))) (local.get $end))))

    (global.set $touched (local.get $k))                                                           ;; @one
    (local.set $p (i32.const {batch}))                                                             ;; @one
    (loop $same                                                                                    ;; @one
      (local.set $c0 (i64.load (local.get $p)))                                                    ;; @one
      (local.set $at ({wrap} (i64.load offset=8 (local.get $p))))                                  ;; @one
      (local.set $v (i64x2.splat (local.get $c0)))                                                 ;; @one
      (local.set $hit (v128.const i64x2 0 0))                                                      ;; @one
      (local.set $hit (v128.or (local.get $hit)                                                    ;; @one @quarter
        (i64x2.eq (v128.load $table offset=%b (local.get $at)) (local.get $v))))                   ;; @one @quarter
      (i64.store (local.get $q) (local.get $c0))                                                   ;; @one
      (i64.store offset=8 (local.get $q) ({unwrap} (local.get $at)))                               ;; @one
      (local.set $q (i32.add (local.get $q)                                                        ;; @one
        (i32.shl (i32.eqz (v128.any_true (local.get $hit))) (i32.const 4))))                       ;; @one
      (br_if $same (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const {stride})))          ;; @one
                             (local.get $end))))                                                   ;; @one
    (local.set $p (i32.const {batch}))                                                             ;; @index @plain
    (loop $same                                                                                    ;; @index @plain
      (local.set $k (i64.load offset={entry_at} (local.get $p)))                                   ;; @index @plain
      (local.set $n ({wrap} (i64.mul (i64.sub (i64.and (local.get $k) (i64.const 0xffffffff))      ;; @index @plain
                                              (i64.const 1)) (i64.const {bytes}))))                ;; @index @plain
      (local.set $h (i64.load32_u offset={hash_at} (local.get $p)))                                ;; @index @plain
      (local.set $c%w (i64.load offset=%o (local.get $p)))                                         ;; @index @plain @word
      (i64.store offset=%o (local.get $q) (local.get $c%w))                                        ;; @index @plain @word
      (i32.store offset={hash_at} (local.get $q) (i32.wrap_i64 (local.get $h)))                    ;; @index @plain
      (block $differs                                                                              ;; @index @plain
        (local.set $q (i32.add (local.get $q) (i32.const {stride})))                               ;; @index @plain
        (br_if $differs (i64.ne (i64.shr_u (local.get $k) (i64.const 32)) (local.get $h)))         ;; @index @plain
        (br_if $differs (i64.eqz (i64.and (local.get $k) (i64.const 0xffffffff))))                 ;; @index @plain
        (br_if $differs (i64.ne (i64.load $log offset=%o (local.get $n)) (local.get $c%w)))        ;; @index @plain @word
        (local.set $q (i32.sub (local.get $q) (i32.const {stride}))))                              ;; @index @plain
      (br_if $same (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const {stride})))          ;; @index @plain
                             (local.get $end))))                                                   ;; @index @plain

    (local.set $q (local.get $end))                                                                ;; @graph
    (local.set $p (i32.const {batch}))
    (if (i32.eq (local.get $p) (local.get $q)) (then (return)))
    (local.set $tail (global.get $tail))
    (loop $next
      (local.set $c%w (i64.load offset=%o (local.get $p)))                                         ;; @word
      (local.set $at ({wrap} (i64.load offset=8 (local.get $p))))                                  ;; @one
      (local.set $v (i64x2.splat (local.get $c0)))                                                 ;; @one
      (local.set $h (i64.load32_u offset={hash_at} (local.get $p)))                                ;; @index
      (local.set $v (i64x2.splat (local.get $h)))                                                  ;; @index
      (local.set $at ({wrap} (i64.shl (i64.shr_u (i64.mul (local.get $h) (global.get $lines))      ;; @index
                                                 (i64.const 32)) (i64.const 6))))                  ;; @index
      (block $known
        (block $stopped                                                                            ;; @graph
        (br_if $stopped (i32.lt_s (i32.load offset={bytes} (local.get $p)) (i32.const 0)))         ;; @graph
        (loop $probe
          (local.set $hit (v128.const i64x2 0 0))                                                  ;; @one
          (local.set $hit (v128.or (local.get $hit)                                                ;; @one @quarter
            (i64x2.eq (v128.load $table offset=%b (local.get $at)) (local.get $v))))               ;; @one @quarter
          (br_if $known (v128.any_true (local.get $hit)))                                          ;; @one
          (local.set $z (i32.const 0))                                                             ;; @index
          (local.set $z (i32.or (local.get $z) (i32.shl (i64x2.bitmask (i64x2.eq                   ;; @index @quarter
            (i64x2.shr_u (v128.load $table offset=%b (local.get $at)) (i32.const 32))              ;; @index @quarter
            (local.get $v))) (i32.const %s))))                                                     ;; @index @quarter
          (block $none (loop $match                                                                ;; @index
            (br_if $none (i32.eqz (local.get $z)))                                                 ;; @index
            (local.set $t (i32.shl (i32.ctz (local.get $z)) (i32.const 3)))                        ;; @index
            (local.set $z (i32.and (local.get $z) (i32.sub (local.get $z) (i32.const 1))))         ;; @index
            (local.set $k (i64.load32_u $table ({A}.add (local.get $at) ({from32} (local.get $t))))) ;; @index
            (br_if $match (i64.eqz (local.get $k)))                                                ;; @index
            (local.set $k (i64.sub (local.get $k) (i64.const 1)))                                  ;; @index
            (local.set $n ({wrap} (i64.mul (local.get $k) (i64.const {bytes}))))                   ;; @index
            (br_if $match (i64.ne (i64.load $log offset=%o (local.get $n)) (local.get $c%w)))      ;; @index @word
            (br $known)))                                                                          ;; @index
          (local.set $z (i32.const 0))
          (local.set $z (i32.or (local.get $z) (i32.shl (i64x2.bitmask (i64x2.eq                   ;; @quarter
            (v128.load $table offset=%b (local.get $at)) (v128.const i64x2 0 0))) (i32.const %s)))) ;; @quarter
          (if (i32.eqz (local.get $z)) (then
            (local.set $at ({A}.add (local.get $at) ({A}.const 64)))
            (br $probe))))
        (local.set $at ({A}.add (local.get $at) ({from32} (i32.shl (i32.ctz (local.get $z)) (i32.const 3)))))
        (local.set $k (local.get $tail))                                                           ;; @index
        (i64.store $table (local.get $at) (local.get $c0))                                         ;; @one
        (i64.store $table (local.get $at) (i64.or (i64.shl (local.get $h) (i64.const 32))          ;; @index
                                                  (i64.add (local.get $k) (i64.const 1))))         ;; @index
        (local.set $n ({wrap} (i64.mul (local.get $tail) (i64.const {bytes}))))
        (i64.store $log offset=%o (local.get $n) (local.get $c%w))                                 ;; @word
        (local.set $tail (i64.add (local.get $tail) (i64.const 1)))
        (if (i64.ge_u (i64.add (i64.shr_u ({unwrap} (local.get $at)) (i64.const 6)) (i64.const 2))
                      (global.get $total)) (then (global.set $room (i64.const 0))))
        (br $known)                                                                                ;; @graph
        )                                                                                          ;; @graph
        (local.set $k (i64.const 0xffffffff)))                                                     ;; @graph
      )                                                                                            ;; @plain
      (local.set $n ({wrap} (i64.shl (global.get $steps) (i64.const 3))))                          ;; @graph
      (i32.store $edges (local.get $n) (i32.wrap_i64 (local.get $k)))                              ;; @graph
      (i32.store $edges offset=4 (local.get $n)                                                    ;; @graph
        (i32.and (i32.load offset={bytes} (local.get $p)) (i32.const 0x7fffffff)))                 ;; @graph
      (global.set $steps (i64.add (global.get $steps) (i64.const 1)))                              ;; @graph
      (br_if $next (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const {stride}))) (local.get $q))))
    (global.set $tail (local.get $tail)))

  ;; Enter the setup, the words in the batch's first entry.
  (func (export "begin") (call $insert (i32.const {first_end})))

  ;; Expand up to `$budget` states, as long as fewer than `$ceiling` are found.
  ;; Result: 0 all done, 1 more to do, 2 something must grow first, 3 chance and a player may both act.
  (func (export "run") (param $budget i64) (param $ceiling i64) (result i32)
    (local $out i32) (local $stop i64) (local $until i64) (local $at {A})
    (local $from i32)                                                                              ;; @graph
    (local.set $stop (i64.add (global.get $head) (local.get $budget)))
    (loop $batches
      (if (i64.eq (global.get $head) (global.get $tail)) (then (return (i32.const 0))))
      (if (i64.ge_u (global.get $tail) (local.get $ceiling)) (then (return (i32.const 1))))
      (if (i64.ge_u (global.get $head) (local.get $stop)) (then (return (i32.const 1))))
      (if (i64.gt_u (i64.add (global.get $tail) (i64.const {most})) (global.get $room))
        (then (return (i32.const 2))))
      (if (i64.gt_u (i64.add (global.get $steps) (i64.const {most})) (global.get $edge_room))      ;; @graph
        (then (return (i32.const 2))))                                                             ;; @graph
      (local.set $until (i64.add (i64.or (global.get $head) (i64.const 255)) (i64.const 1)))
      (if (i64.gt_u (local.get $until) (global.get $level)) (then (local.set $until (global.get $level))))
      (local.set $out (i32.const {batch}))
      (loop $fill
        (local.set $at ({wrap} (i64.mul (global.get $head) (i64.const {bytes}))))
        (local.set $from (local.get $out))                                                         ;; @graph
        (global.set $ended (i32.const 0))                                                          ;; @graph
        (local.set $out (call $expand
          (i64.load $log offset=%o (local.get $at))                                                ;; @word
          (local.get $out)))
        (if (i32.eqz (local.get $out)) (then (return (i32.const 3))))
        (i32.store $rows ({wrap} (i64.shl (global.get $head) (i64.const 2)))                       ;; @graph
          (i32.or (global.get $ended)                                                              ;; @graph
            (i32.div_u (i32.sub (local.get $out) (local.get $from)) (i32.const {stride}))))        ;; @graph
        (global.set $head (i64.add (global.get $head) (i64.const 1)))
        (br_if $fill (i32.and (i32.lt_u (local.get $out) (i32.const {full}))
                              (i64.lt_u (global.get $head) (local.get $until)))))
      (call $insert (local.get $out))
      (if (i64.eqz (i64.and (global.get $head) (i64.const 255)))
        (then (i64.store $marks ({wrap} (i64.shr_u (global.get $head) (i64.const 5))) (global.get $tail))))
      (if (i64.eq (global.get $head) (global.get $level)) (then
        (if (i64.gt_u (global.get $tail) (global.get $head))
          (then (global.set $depth (i64.add (global.get $depth) (i64.const 1)))))
        (global.set $level (global.get $tail))))
      (br $batches))
    (unreachable))

  ;; Spread the table over `$new` home lines after its memory has grown by `$shift` lines.
  ;;
  ;; The old table is moved to the far end and read from its beginning. As its order is that of hashes, and the
  ;; new home lines are fewer than `$shift` away, entries never catch up with the reading (some lines to spare).
  (func (export "resize") (param $new i64) (param $shift i64)
    (local $at {A}) (local $p {A}) (local $r {A}) (local $end {A}) (local $k i64) (local $h i64) (local $z i32)
    (local.set $p ({wrap} (i64.shl (local.get $shift) (i64.const 6))))
    (local.set $end ({wrap} (i64.shl (i64.add (local.get $shift) (global.get $total)) (i64.const 6))))
    (memory.copy $table $table (local.get $p) ({A}.const 0) ({A}.sub (local.get $end) (local.get $p)))
    (memory.fill $table ({A}.const 0) (i32.const 0) (local.get $p))
    (global.set $lines (local.get $new))
    (global.set $total (i64.add (global.get $total) (local.get $shift)))
    (loop $line
      (local.set $r (local.get $p))
      (local.set $p ({A}.add (local.get $p) ({A}.const 64)))
      (block $rest (loop $entry
        (br_if $rest (i64.eqz (local.tee $k (i64.load $table (local.get $r)))))
        (i64.store $table (local.get $r) (i64.const 0))
        (local.set $h (i64.shr_u (local.get $k) (i64.const 32)))                                   ;; @index
        (local.set $h (i64.mul (local.get $k) (i64.const {K1})))                                   ;; @one
        (local.set $h (i64.xor (local.get $h) (i64.shr_u (local.get $h) (i64.const 32))))          ;; @one
        (local.set $h (i64.shr_u (i64.mul (local.get $h) (i64.const {K2})) (i64.const 32)))        ;; @one
        (local.set $at ({wrap} (i64.shl (i64.shr_u (i64.mul (local.get $h) (local.get $new)) (i64.const 32))
                                        (i64.const 6))))
        (block $empty (loop $probe
          (local.set $z (i32.const 0))
          (local.set $z (i32.or (local.get $z) (i32.shl (i64x2.bitmask (i64x2.eq                   ;; @quarter
            (v128.load $table offset=%b (local.get $at)) (v128.const i64x2 0 0))) (i32.const %s)))) ;; @quarter
          (br_if $empty (local.get $z))
          (local.set $at ({A}.add (local.get $at) ({A}.const 64)))
          (br $probe)))
        (i64.store $table ({A}.add (local.get $at) ({from32} (i32.shl (i32.ctz (local.get $z)) (i32.const 3))))
          (local.get $k))
        (local.set $r ({A}.add (local.get $r) ({A}.const 8)))
        (br_if $entry ({A}.lt_u (local.get $r) (local.get $p)))))
      (br_if $line ({A}.lt_u (local.get $p) (local.get $end)))))

  ;; The first state of `$from` .. `$to` - 1 that leads to the given one, and by which instance (in `$found`);
  ;; -1 if none does.
  (func (export "parent") (param $from i64) (param $to i64) {params} (result i64)
    (local $out i32) (local $p i32) (local $at {A}) (local $keep i64) (local $answer i64)
    (local.set $keep (global.get $head))
    (local.set $answer (i64.const -1))
    (block $end (loop $next
      (br_if $end (i64.ge_u (local.get $from) (local.get $to)))
      (local.set $at ({wrap} (i64.mul (local.get $from) (i64.const {bytes}))))
      (global.set $head (local.get $from))
      (local.set $out (call $expand
        (i64.load $log offset=%o (local.get $at))                                                  ;; @word
        (i32.const {batch})))
      (local.set $p (i32.const {batch}))
      (block $none (loop $scan
        (br_if $none (i32.ge_u (local.get $p) (local.get $out)))
        (block $other
          (br_if $other (i64.ne (i64.load offset=%o (local.get $p)) (local.get $s%w)))             ;; @word
          (br_if $other (i32.lt_s (i32.load offset={bytes} (local.get $p)) (i32.const 0)))
          (local.set $answer (local.get $from))
          (global.set $found (i32.load offset={bytes} (local.get $p)))
          (br $end))
        (local.set $p (i32.add (local.get $p) (i32.const {stride})))
        (br $scan)))
      (local.set $from (i64.add (local.get $from) (i64.const 1)))
      (br $next)))
    (global.set $head (local.get $keep))
    (local.get $answer))
