"""Episodes of the invented game `orchard` that a play, the components or the modeller show by themselves."""

from __future__ import annotations

from tests.small_plants import Found, Plant, roll_to

PLAY: dict[str, Plant] = {
    "clash": Plant(
        stages=("CLASH", "CLIMB"),
        clauses=("clash.even", "clash.two", "clash.one"),
        code=roll_to("clash", "CLASH", "CLIMB", 2)
        + """
@book.rule("clash.begin", by=turn, phase=Phase.CLIMB)
def climb(t):
    def up(): t.coins[0] = 1
    def down(): t.coins[1] = 1
    decide(t, "tower", [
        row("clash.even", when=t.die % 2 == 0, then="up"),
        row("clash.two", when=t.die >= 2, then="down"),
        row("clash.one", when=t.die == 1, then="up"),
    ], outcomes={"up": up, "down": down})
    t.phase = Phase.DONE
""",
        found=(Found("RL101", ("clash.even", "clash.two"), 3, stake="another winner"),),
        proved=("tower: some sentence always applies", "tower: clash.even + clash.one never clash"),
    ),
    "moot": Plant(
        stages=("MOOT",),
        clauses=("moot.left", "moot.right"),
        code="""
@book.rule("moot.begin", by=turn, phase=Phase.MOOT)
def fork(t):
    def left(): t.coins[0] = 1
    def right(): t.coins[0] = t.coins[1] + 1
    decide(t, "fork", [
        row("moot.left", when=t.die == 0, then="left"),
        row("moot.right", when=t.coins[0] == 0, then="right"),
    ], outcomes={"left": left, "right": right})
    t.phase = Phase.DONE
""",
        found=(Found("RL101", ("moot.left", "moot.right"), 2, "MOOT"),),
    ),
    "gap": Plant(
        stages=("GAP", "SORT"),
        clauses=("gap.one", "gap.two"),
        code=roll_to("gap", "GAP", "SORT", 3)
        + """
@book.rule("gap.begin", by=RULES, phase=Phase.SORT)
def sort_apples(t):
    def keep(): t.coins[0] = t.die
    decide(t, "basket", [
        row("gap.one", when=t.die == 1, then="keep"),
        row("gap.two", when=t.die == 2, then="keep"),
    ], outcomes={"keep": keep})
    t.phase = Phase.DONE
""",
        found=(Found("RL102", ("gap.one", "gap.two"), 3, stake="another winner"),),
        proved=("basket: gap.one + gap.two never clash",),
    ),
    "tie": Plant(
        stages=("TIE",),
        clauses=("tie.most",),
        code="""
@book.rule("tie.begin", by=RULES, phase=Phase.TIE)
def weigh(t):
    best = rank(t, "heaviest", [list(t.coins)], "tie.most")
    t.coins[1] = best.first
    t.phase = Phase.DONE
""",
        found=(Found("RL104", ("tie.most",), 2, stake="another winner"),),
    ),
    "shortage": Plant(
        stages=("DOLE",),
        fields="supply = Range(0, 1, start=1)",
        clauses=("shortage.two",),
        code="""
@book.rule("shortage.begin", by=turn, phase=Phase.DOLE)
def dole(t):
    got = take(t, "dole", t.supply, 2, "shortage.two")
    t.supply = t.supply - got
    t.phase = Phase.REST
""",
        found=(Found("RL105", ("shortage.two",), 2),),
    ),
    "stacking": Plant(
        stages=("MILL",),
        fields="mills = Range(0, 2, start=2)",
        clauses=("stacking.loaf",),
        code="""
@book.rule("stacking.begin", by=turn, phase=Phase.MILL)
def bake(t):
    t.coins[0] = repeat(t, "mill", "stacking.loaf", t.mills)
    t.phase = Phase.REST
""",
        found=(Found("RL106", ("stacking.loaf",), 2, stake="another score"),),
    ),
    "order": Plant(
        stages=("DUSK",),
        fields="sown = Bool(start=False)\n    reaped = Bool(start=False)",
        clauses=("order.double", "order.add"),
        code="""
@book.rule("order.double", by=RULES, phase=Phase.DUSK)
def double(t):
    t.require(~t.sown)
    t.coins[0] = 2 * t.coins[0]
    t.sown = True

@book.rule("order.add", by=RULES, phase=Phase.DUSK)
def add(t):
    t.require(~t.reaped)
    t.coins[0] = t.coins[0] + 1
    t.reaped = True

@book.rule("order.begin", by=RULES, phase=Phase.DUSK)
def night(t):
    t.require(t.sown & t.reaped)
    t.phase = Phase.DONE
""",
        found=(Found("RL108", ("order.double", "order.add"), 1, stake="another score"),),
    ),
    "confluent": Plant(
        stages=("DAWN",),
        fields="fed = Bool(start=False)\n    lit = Bool(start=False)",
        clauses=("confluent.feed", "confluent.light"),
        code="""
@book.rule("confluent.feed", by=RULES, phase=Phase.DAWN)
def feed(t):
    t.require(~t.fed)
    t.coins[0] = t.coins[0] + 1
    t.fed = True

@book.rule("confluent.light", by=RULES, phase=Phase.DAWN)
def light(t):
    t.require(~t.lit)
    t.coins[0] = t.coins[0] + 2
    t.lit = True

@book.rule("confluent.begin", by=RULES, phase=Phase.DAWN)
def day(t):
    t.require(t.fed & t.lit)
    t.phase = Phase.DONE
""",
    ),
    "stuck": Plant(
        stages=("SWAMP",),
        found=(Found("RL301", (), 1, stake="play stops"),),
    ),
    "endless": Plant(
        stages=("FIRE", "HUT"),
        clauses=("endless.burn", "endless.build"),
        code="""
@book.rule("endless.burn", by=RULES, phase=Phase.FIRE)
def burn(t):
    t.phase = Phase.HUT

@book.rule("endless.build", by=turn, phase=Phase.HUT)
def build_hut(t):
    t.phase = Phase.FIRE
""",
        found=(Found("RL302", ("endless.burn", "endless.build"), 3, stake="play stops"),),
    ),
    "roundabout": Plant(
        stages=("RING", "LANE"),
        clauses=("roundabout.go", "roundabout.off"),
        code="""
@book.rule("roundabout.go", by=RULES, phase=Phase.RING)
def go_round(t):
    t.phase = Phase.LANE

@book.rule("roundabout.go", by=RULES, phase=Phase.LANE)
def come_back(t):
    t.phase = Phase.RING

@book.rule("roundabout.off", by=RULES, phase=Phase.LANE)
def leave(t):
    t.phase = Phase.REST
""",
        found=(Found("RL302", ("roundabout.go",), 3, stake="play stops"),),
    ),
    "maze": Plant(
        stages=("MAZE", "CELL"),
        clauses=("maze.left", "maze.right"),
        code="""
@book.rule("maze.left", by=turn, phase=(Phase.MAZE, Phase.CELL))
def go_left(t):
    t.phase = Phase.CELL

@book.rule("maze.right", by=turn, phase=(Phase.MAZE, Phase.CELL))
def go_right(t):
    t.phase = Phase.MAZE
""",
        found=(Found("RL302", (), 1, stake="play stops"),),
    ),
    "stroll": Plant(
        stages=("SHORE", "QUAY"),
        clauses=("stroll.there", "stroll.home"),
        code="""
@book.rule("stroll.there", by=turn, phase=(Phase.SHORE, Phase.QUAY), far=2)
def walk(t, far):
    t.phase = ite(far == 1, Phase.QUAY, Phase.SHORE)

@book.rule("stroll.home", by=turn, phase=Phase.SHORE)
def go_home(t):
    t.phase = Phase.DONE
""",
    ),
    "hopeless": Plant(
        stages=("DIVE", "DEEP"),
        clauses=("hopeless.pearl",),
        code=roll_to("hopeless", "DIVE", "DEEP", 2)
        + """
@book.rule("hopeless.pearl", by=turn, phase=Phase.DEEP)
def dive(t):
    t.coins[0] = ite(t.die == 1, 1, 0)
    t.phase = Phase.DONE
""",
        properties='''
@PROPERTIES.lost("hopeless.pearl", goal=lambda before, after: after.coins[0] > before.coins[0])
def no_pearl(t):
    """No dive can bring a pearl."""
    return t.phase == Phase.DEEP
''',
        found=(Found("RL303", ("hopeless.pearl",), 2),),
    ),
    "missing": Plant(
        clauses=("missing.values",),
        code="""
book.missing("pears", "missing.values", what="how many pears there are", asks="How many pears are there?")
""",
        found=(Found("RL401", ("missing.values",)),),
    ),
    "facts": Plant(
        clauses=("facts.sixty", "facts.thirteen", "facts.level"),
        code="""
blue, red = book.quantity("blue", 0, 99), book.quantity("red", 0, 99)
book.fact("facts.sixty", blue + red == 60)
book.fact("facts.thirteen", blue == 13)
book.fact("facts.level", blue == red)
""",
        found=(Found("RL201", ("facts.sixty", "facts.thirteen", "facts.level")),),
    ),
    "impossible": Plant(
        clauses=("impossible.players", "impossible.cards", "impossible.share"),
        code="""
players, shares = book.quantity("players", 1, 5), book.quantity("cards for each", 0, 99)
cards = book.quantity("cards", 0, 99)
book.fact("impossible.players", (players >= 2) & (players <= 4))
book.fact("impossible.cards", cards == 10)
level = [(players == n) & (n * shares == cards) for n in (2, 3, 4)]
book.fact("impossible.share", some(*level, players == 1, players == 5))
""",
        found=(
            Found("RL202", ("impossible.cards", "impossible.share"), stake="play stops"),
            Found("RL202", ("impossible.cards", "impossible.share"), stake="play stops"),
        ),
    ),
    "stop": Plant(
        stages=("BRIDGE",),
        clauses=("stop.river",),
        code="""
@book.rule("stop.begin", by=turn, phase=Phase.BRIDGE)
def cross(t):
    t.stop("river", "stop.river")
""",
        found=(Found("RL111", ("stop.river",), 2, stake="play stops"),),
    ),
    "capacity": Plant(
        stages=("TRACK",),
        fields="track = Range(0, 2, start=2)",
        clauses=("capacity.step",),
        code="""
@book.rule("capacity.step", by=turn, phase=Phase.TRACK, far=2)
def advance(t, far):
    t.track = t.track + far
    t.phase = Phase.DONE
""",
        found=(Found("RL403", ("capacity.step",), 2, stake="play stops"),),
    ),
    "race": Plant(
        stages=("THEFT",),
        clauses=("race.shield",),
        code="""
@book.rule("race.begin", by=turn, phase=Phase.THEFT)
def steal(t):
    race(t, "shield", [t.coins[0] == 0, t.coins[1] == 0], "race.shield")
    t.phase = Phase.REST
""",
        found=(Found("RL110", ("race.shield",), 2),),
    ),
    "property": Plant(
        stages=("MARKET",),
        clauses=("property.coins",),
        code="""
@book.rule("property.begin", by=turn, phase=Phase.MARKET)
def buy(t):
    t.coins[1] = 7
    t.phase = Phase.DONE
""",
        properties='''
@PROPERTIES.always("property.coins")
def nobody_is_rich(t):
    """Nobody ever has seven coins."""
    return t.coins[1] < 7


@PROPERTIES.step("property.coins")
def coins_grow(before, after):
    """No coin of player 0 is lost."""
    return after.coins[0] >= before.coins[0]


@PROPERTIES.sometimes("property.coins")
def nine_coins(t):
    """Somebody gets all nine coins."""
    return t.coins[1] == 9
''',
        found=(Found("RL304", ("property.coins",), 2), Found("RL304", ("property.coins",))),
        proved=("coins-grow: No coin of player 0 is lost.",),
    ),
}
