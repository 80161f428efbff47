  ;; What both searches share: recording events, and questions about graphs.
  ;;
  ;; Scratch memory: bytes 64..191 hold the arguments of a graph question, one byte each (first the edges'
  ;; openness, then for `reach` whether each node is a source); the rest as the plan says.

  (memory $scratch (export "scratch") {scratch_pages})

  (global $head (export "head") (mut i64) (i64.const 0))    ;; the state that is being expanded
  (global (export "batch") i32 (i32.const {batch}))         ;; where successors are gathered
  (global $ended (mut i32) (i32.const 0))                   ;; top bit: the game is over in this state
  (global $halted (mut i32) (i32.const 0))                  ;; a step of this state stopped

  ;; Event `$e` happens for the first time, in a step of `$instance` (or -1) from the present state.
  (func $event (param $e i32) (param $instance i32)
    (i32.store8 offset={seen} (local.get $e) (i32.const 1))
    (i64.store offset={places} (i32.shl (local.get $e) (i32.const 4)) (global.get $head))
    (i32.store offset={places_instance} (i32.shl (local.get $e) (i32.const 4)) (local.get $instance)))

  ;; Ends of edge `$n` in the table of edges at `$edges`, as a set of nodes.
  (func $ends (param $edges i32) (param $n i32) (result i64)
    (local $at i32)
    (local.set $at (i32.add (local.get $edges) (i32.shl (local.get $n) (i32.const 1))))
    (i64.or (i64.shl (i64.const 1) (i64.load8_u (local.get $at)))
            (i64.shl (i64.const 1) (i64.load8_u offset=1 (local.get $at)))))

  ;; Whether node `$to` is joined to a source by open edges: the set of reached nodes grows until it rests.
  (func $reach (param $edges i32) (param $count i32) (param $nodes i32) (param $to i32) (result i32)
    (local $set i64) (local $before i64) (local $n i32) (local $ends i64)
    (block $sources (loop $next
      (br_if $sources (i32.ge_u (local.get $n) (local.get $nodes)))
      (local.set $set (i64.or (local.get $set)
        (i64.shl (i64.load8_u offset=64 (i32.add (local.get $count) (local.get $n)))
                 (i64.extend_i32_u (local.get $n)))))
      (local.set $n (i32.add (local.get $n) (i32.const 1)))
      (br $next)))
    (loop $grow
      (local.set $before (local.get $set))
      (local.set $n (i32.const 0))
      (block $edge (loop $next
        (br_if $edge (i32.ge_u (local.get $n) (local.get $count)))
        (if (i32.load8_u offset=64 (local.get $n)) (then
          (local.set $ends (call $ends (local.get $edges) (local.get $n)))
          (if (i64.ne (i64.and (local.get $set) (local.get $ends)) (i64.const 0))
            (then (local.set $set (i64.or (local.get $set) (local.get $ends)))))))
        (local.set $n (i32.add (local.get $n) (i32.const 1)))
        (br $next)))
      (br_if $grow (i64.ne (local.get $set) (local.get $before))))
    (i32.and (i32.wrap_i64 (i64.shr_u (local.get $set) (i64.extend_i32_u (local.get $to)))) (i32.const 1)))

  ;; The most edges that a walk from `$node` can still take; depth-first search.
  ;; Paths: `$used` is a set of nodes. Trails: a set of edges.
  (func $walk (param $edges i32) (param $count i32) (param $node i32) (param $used i64) (param $trail i32)
        (result i32)
    (local $n i32) (local $other i32) (local $bit i64) (local $best i32) (local $found i32) (local $at i32)
    (block $done (loop $next
      (br_if $done (i32.ge_u (local.get $n) (local.get $count)))
      (block $skip
        (br_if $skip (i32.eqz (i32.load8_u offset=64 (local.get $n))))
        (local.set $at (i32.add (local.get $edges) (i32.shl (local.get $n) (i32.const 1))))
        (if (i32.eq (i32.load8_u (local.get $at)) (local.get $node))
          (then (local.set $other (i32.load8_u offset=1 (local.get $at))))
          (else
            (br_if $skip (i32.ne (i32.load8_u offset=1 (local.get $at)) (local.get $node)))
            (local.set $other (i32.load8_u (local.get $at)))))
        (local.set $bit (i64.shl (i64.const 1)
          (i64.extend_i32_u (select (local.get $n) (local.get $other) (local.get $trail)))))
        (br_if $skip (i64.ne (i64.and (local.get $used) (local.get $bit)) (i64.const 0)))
        (local.set $found (i32.add (i32.const 1)
          (call $walk (local.get $edges) (local.get $count) (local.get $other)
                      (i64.or (local.get $used) (local.get $bit)) (local.get $trail))))
        (if (i32.gt_u (local.get $found) (local.get $best)) (then (local.set $best (local.get $found)))))
      (local.set $n (i32.add (local.get $n) (i32.const 1)))
      (br $next)))
    (local.get $best))

  (func $longest (param $edges i32) (param $count i32) (param $nodes i32) (param $trail i32) (result i32)
    (local $n i32) (local $best i32) (local $found i32)
    (block $done (loop $next
      (br_if $done (i32.ge_u (local.get $n) (local.get $nodes)))
      (local.set $found (call $walk (local.get $edges) (local.get $count) (local.get $n)
        (select (i64.const 0) (i64.shl (i64.const 1) (i64.extend_i32_u (local.get $n))) (local.get $trail))
        (local.get $trail)))
      (if (i32.gt_u (local.get $found) (local.get $best)) (then (local.set $best (local.get $found))))
      (local.set $n (i32.add (local.get $n) (i32.const 1)))
      (br $next)))
    (local.get $best))

  (func $path (param $edges i32) (param $count i32) (param $nodes i32) (result i32)
    (call $longest (local.get $edges) (local.get $count) (local.get $nodes) (i32.const 0)))

  (func $trail (param $edges i32) (param $count i32) (param $nodes i32) (result i32)
    (call $longest (local.get $edges) (local.get $count) (local.get $nodes) (i32.const 1)))
