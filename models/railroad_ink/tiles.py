"""What a space of the board can hold: the faces of the dice, turned and mirrored, and what expansions add.

Promises: a tile is four ends, one a side in the order above, right, below, left; every way in which a face
can be turned or mirrored is there once; nothing else is.

Ends: H highway, R railway, V river, W open water, L lava, C crater; a dot where the side has none.
The text names the faces in words; where it does not say which side an end lies on (piers, lava dice), the
pattern here is an assumption that `readings` declares as missing.
"""

from __future__ import annotations

import functools

import attrs

from models.language import ModelError
from models.language.nearest import did_you_mean

SIDES = ("above", "right", "below", "left")
#: Letter of an end → its number in the tables that the rules read.
CODES = {".": 0, "H": 1, "R": 2, "V": 3, "W": 4, "L": 5, "C": 6}
ROUTES = "HR"


@attrs.frozen
class Face:
    """A face of a die, a special route, or something that an expansion puts on the board.

    Attributes:
        name: Its name in tables and moves.
        ends: One way to draw it.
        joined: Whether everything in the space is one network (a station, a pier).
        kind: `route`, `special`, `river`, `lake`, `lava` or `crater`.
        words: What people call it.
    """

    name: str
    ends: str
    joined: bool
    kind: str
    words: str


@attrs.frozen
class Tile:
    """A face as it is drawn.

    Attributes:
        face: The face.
        ends: Its ends as drawn.
    """

    face: Face
    ends: str

    @property
    def name(self) -> str:
        """Name in the enumeration of tiles."""
        return f"{self.face.name}_{self.ends.replace('.', 'o')}"

    @property
    def token(self) -> str:
        """How the tile is written in the text form of a board."""
        return self.ends + ("*" if self.face.joined else "")

    def sides(self, letters: str) -> tuple[int, ...]:
        """The sides with an end of one of some letters."""
        return tuple(i for i, end in enumerate(self.ends) if end in letters)


def _faces() -> dict[str, Face]:
    found = []
    for letter, name in (("H", "highway"), ("R", "railway")):
        found += [
            Face(f"CURVE_{letter}", f"{letter}{letter}..", False, "route", f"{name} curve"),
            Face(f"T_{letter}", f"{letter}{letter}{letter}.", False, "route", f"{name} junction"),
            Face(f"STRAIGHT_{letter}", f"{letter}.{letter}.", False, "route", f"straight {name}"),
        ]
    found += [
        Face("OVERPASS", "HRHR", False, "route", "overpass"),
        Face("STATION", "H.R.", True, "route", "straight station"),
        Face("CURVED_STATION", "HR..", True, "route", "curved station"),
    ]
    found += [
        Face(f"S_{ends}", ends, True, "special", f"special route {ends}")
        for ends in ("HHRH", "HRRR", "HHHH", "RRRR", "HRRH", "HRHR")
    ]
    found += [
        Face("RIVER", "V.V.", False, "river", "straight river"),
        Face("RIVER_CURVE", "VV..", False, "river", "river curve"),
        Face("BRIDGE_H", "VHVH", False, "river", "river with a highway bridge"),
        Face("BRIDGE_R", "VRVR", False, "river", "river with a railway bridge"),
        Face("LAKE_HALF", "WW..", False, "lake", "half water"),
        Face("LAKE_MOST", "WWW.", False, "lake", "three quarters water"),
        Face("LAKE_QUARTER", "W...", False, "lake", "a quarter water"),
        Face("PIER_BOTH", "WWHR", True, "lake", "half water with a pier"),
        Face("PIER_H", "W.H.", True, "lake", "a quarter water with a highway pier"),
        Face("PIER_R", "W.R.", True, "lake", "a quarter water with a railway pier"),
        Face("FLOOD", "WWWW", False, "lake", "a flooded space"),
        Face("CRATER", "CCCC", False, "crater", "a crater"),
        Face("LAVA_HALF", "LL..", False, "lava", "half lava"),
        Face("LAVA_OPPOSITE", "L.L.", False, "lava", "lava on opposite sides"),
        Face("LAVA_MOST", "LLL.", False, "lava", "three quarters lava"),
        Face("LAVA_H", "LH.H", False, "lava", "a quarter lava with a highway"),
        Face("LAVA_R", "LR.R", False, "lava", "a quarter lava with a railway"),
        Face("VOLCANO", "LLLL", False, "lava", "a volcano"),
    ]
    return {f.name: f for f in found}


FACES = _faces()
SPECIALS = tuple(name for name, face in FACES.items() if face.kind == "special")
_COMMON = ("CURVE_R", "T_R", "STRAIGHT_R", "CURVE_H", "T_H", "STRAIGHT_H")
#: The four route dice as the text lists their faces.
ROUTE_DICE = (*[_COMMON] * 3, ("OVERPASS",) * 2 + ("STATION",) * 2 + ("CURVED_STATION",) * 2)
#: The two dice of each expansion that are drawn, likewise.
EXTRA_DICE = {
    "river": (("RIVER", *("RIVER_CURVE",) * 3, "BRIDGE_H", "BRIDGE_R"),) * 2,
    "lake": (("LAKE_HALF", "LAKE_MOST", "LAKE_QUARTER", "PIER_BOTH", "PIER_H", "PIER_R"),) * 2,
    "lava": (("LAVA_HALF", "LAVA_HALF", "LAVA_OPPOSITE", "LAVA_MOST", "LAVA_H", "LAVA_R"),) * 2,
}


def ways(face: Face) -> tuple[Tile, ...]:
    """Every way to draw a face: turned by quarters and mirrored, each result once."""
    turned = [face.ends[-k:] + face.ends[:-k] for k in range(4)]
    mirrored = [ends[0] + ends[:0:-1] for ends in turned]
    return tuple(Tile(face, ends) for ends in dict.fromkeys([*turned, *mirrored]))


def face_of(name: str) -> Face:
    """The face of a name.

    Errors:
        ModelError: there is none, with the nearest.
    """
    if name not in FACES:
        raise ModelError(
            f"there is no face {name!r}",
            hint=did_you_mean(name, FACES) or f"the faces are {', '.join(FACES)}",
        )
    return FACES[name]


#: Token in the text form → tile.
TILES = {tile.token: tile for face in FACES.values() for tile in ways(face)}


@functools.cache
def ways_by_name() -> dict[str, Tile]:
    """All tiles by the names of their members in enumerations."""
    return {tile.name: tile for face in FACES.values() for tile in ways(face)}
