"""What has become of the clauses' sentences in a text.

Promises:

- `match` accounts for every sentence of a text and every clause: it is matched, moved, changed, new or
  gone, exactly one of them. Editing one sentence reports exactly that one.
- `unanswered` lists the open words of the text that no clause answers.
"""

from __future__ import annotations

import bisect
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from attrs import define, field, frozen

from models.language.clauses import UNASKED, Clause, Clauses, Section, Source
from models.language.layout import Role
from models.language.openwords import checklist, open_words
from models.language.sentences import Sentence, shared, similarity, split

Entry = Clause | Section
"""What stands for a piece of the source: a clause for a sentence, a section for its heading."""

LIKE = 0.5
"""The least similarity at which two sentences anywhere in the text are one that was changed; they have to
share two bits of their signatures as well, as one may be chance."""

LIKE_HERE = 0.25
"""The same between two sentences that stand between the same neighbours, with at most `FEW` on each side."""

FEW = 4


@frozen
class Match:
    """A clause or section whose original stands unchanged in the text.

    Attributes:
        entry: the clause or section.
        sentence: where its original stands now.
    """

    entry: Entry
    sentence: Sentence


@frozen
class Change:
    """A clause or section whose original was changed.

    Attributes:
        entry: the clause or section.
        sentence: what stands there now.
        similarity: how alike the two are, 0.0 to 1.0 (Dice's coefficient of their signatures); low where a
            sentence was replaced by another in the same place.
    """

    entry: Entry
    sentence: Sentence
    similarity: float


@frozen
class Drift:
    """How a text differs from the one that the clauses were written for.

    A heading that states something has both a section and a clause (ordinal 0); it is reported as the
    clause. Clauses from outside of the text are left out.

    Attributes:
        matched: unchanged and in the same order, in the order of the text.
        moved: unchanged, but in another order.
        changed: changed, in the order of the text.
        new: sentences and headings that no clause or section accounts for.
        gone: clauses and sections whose original is no longer there.
    """

    matched: tuple[Match, ...]
    moved: tuple[Match, ...]
    changed: tuple[Change, ...]
    new: tuple[Sentence, ...]
    gone: tuple[Entry, ...]

    @property
    def clean(self) -> bool:
        """Whether the text is, sentence for sentence, the one that the clauses were written for."""
        return not (self.moved or self.changed or self.new or self.gone)

    @property
    def clauses(self) -> tuple[str, ...]:
        """The ids of the clauses that were moved or changed, or are gone, each once, sorted."""
        entries = [*(part.entry for part in self.moved), *(part.entry for part in self.changed), *self.gone]
        return tuple(sorted({entry.id for entry in entries if isinstance(entry, Clause)}))


def match(clauses: Clauses, source_text: str) -> Drift:
    """Find the original of every clause in a text.

    First the longest common subsequence of digests (what kept its order is matched), then equal digests
    that are left (moved), then the most alike of what is left by signature, those between the same matched
    neighbours preferred (changed). A single clause and a single sentence left between the same neighbours
    are one that was changed however little they are alike.

    Args:
        clauses: the clauses.
        source_text: the whole text, as `models.language.sentences.read_source` gives it.
    """
    entries, headings = _entries(clauses)
    titles = {section.digest for section in clauses.sections}
    sentences = [
        sentence
        for sentence in split(source_text, clauses.language)
        if not (sentence.role is Role.CONTENTS and sentence.digest in titles)
    ]
    pairing = _Pairing(entries, sentences)
    pairing.keep_order()
    pairing.move()
    pairing.change()
    return _report(pairing, headings)


def _entries(clauses: Clauses) -> tuple[list[Entry], dict[str, Clause]]:
    """Sections and clauses of the text in its order, and the clauses that state what a heading states."""
    headings = {
        clause.section: clause for clause in clauses if not clause.ordinal and clause.source is Source.TEXT
    }
    sentences: defaultdict[str, list[Clause]] = defaultdict(list)
    for clause in clauses:
        if clause.ordinal and clause.source is Source.TEXT:
            sentences[clause.section].append(clause)
    found: list[Entry] = []
    for section in clauses.sections:
        if section.digest:
            found.append(section)
        found.extend(sentences[section.id])
    return found, headings


@define
class _Pairing:
    """Which entry belongs to which sentence, by their numbers; `old` maps entries, `new` sentences."""

    entries: Sequence[Entry]
    sentences: Sequence[Sentence]
    old: dict[int, int] = field(factory=dict)
    new: dict[int, int] = field(factory=dict)
    anchors: list[tuple[int, int]] = field(factory=list)
    moved: set[int] = field(factory=set)
    changed: dict[int, float] = field(factory=dict)

    def pair(self, a: int, b: int) -> None:
        self.old[a], self.new[b] = b, a

    def left(self) -> tuple[list[int], list[int]]:
        """The entries and the sentences that have no partner yet."""
        return (
            [a for a in range(len(self.entries)) if a not in self.old],
            [b for b in range(len(self.sentences)) if b not in self.new],
        )

    def keep_order(self) -> None:
        """Pair what is equal and in the same order."""
        from rapidfuzz.distance import LCSseq

        before = [entry.digest for entry in self.entries]
        after = [sentence.digest for sentence in self.sentences]
        for step in LCSseq.opcodes(before, after):
            if step.tag == "equal":
                for a, b in zip(
                    range(step.src_start, step.src_end), range(step.dest_start, step.dest_end), strict=True
                ):
                    self.pair(a, b)
                    self.anchors.append((a, b))

    def move(self) -> None:
        """Pair what is equal and in another order."""
        olds, news = self.left()
        waiting: defaultdict[str, list[int]] = defaultdict(list)
        for b in news:
            waiting[self.sentences[b].digest].append(b)
        for a in olds:
            if waiting[self.entries[a].digest]:
                self.pair(a, waiting[self.entries[a].digest].pop(0))
                self.moved.add(a)

    def change(self) -> None:
        """Pair what is alike, and what stands alone between the same neighbours.

        Neighbours are the same where the same number of anchors stands before.
        """
        olds, news = self.left()
        where_old = {a: bisect.bisect([anchor[0] for anchor in self.anchors], a) for a in olds}
        where_new = {b: bisect.bisect([anchor[1] for anchor in self.anchors], b) for b in news}
        old, new = Counter(where_old.values()), Counter(where_new.values())
        candidates = []
        for a in olds:
            for b in news:
                marks = self.entries[a].signature, self.sentences[b].signature
                like = similarity(*marks)
                here = where_old[a] == where_new[b] and max(old[where_old[a]], new[where_new[b]]) <= FEW
                if like >= LIKE_HERE if here else like >= LIKE and shared(*marks) >= 2:
                    candidates.append((-like - 0.25 * here, abs(a - b), a, b, like))
        for _, _, a, b, like in sorted(candidates):
            if a not in self.old and b not in self.new:
                self.pair(a, b)
                self.changed[a] = like
        olds, news = self.left()
        for a in olds:
            alone = sum(where_old[other] == where_old[a] for other in olds) == 1
            beside = [b for b in news if where_new[b] == where_old[a]]
            if alone and len(beside) == 1:
                self.pair(a, beside[0])
                self.changed[a] = similarity(self.entries[a].signature, self.sentences[beside[0]].signature)


def _report(pairing: _Pairing, headings: dict[str, Clause]) -> Drift:
    matched: list[Match] = []
    moved: list[Match] = []
    changed: list[Change] = []
    for b, sentence in enumerate(pairing.sentences):
        if b not in pairing.new:
            continue
        a = pairing.new[b]
        for entry in _reported(pairing.entries[a], headings, both=a not in pairing.changed):
            if a in pairing.changed:
                changed.append(Change(entry, sentence, pairing.changed[a]))
            else:
                (moved if a in pairing.moved else matched).append(Match(entry, sentence))
    olds, news = pairing.left()
    gone = [entry for a in olds for entry in _reported(pairing.entries[a], headings, both=False)]
    new = [pairing.sentences[b] for b in news]
    return Drift(tuple(matched), tuple(moved), tuple(changed), tuple(new), tuple(gone))


def _reported(entry: Entry, headings: dict[str, Clause], both: bool) -> Iterator[Entry]:
    """A heading's clause in the place of its section, or after it; any other entry itself."""
    clause = headings.get(entry.id) if isinstance(entry, Section) else None
    if clause is None or both:
        yield entry
    if clause is not None:
        yield clause


# --- open words ----------------------------------------------------------------------------------------


@frozen
class Unanswered:
    """An open word of the text without an answer.

    Attributes:
        clause: the clause that has to answer it.
        word: the word, by its entry in the checklist.
        why: the question that it leaves open.
        sentence: where it stands.
    """

    clause: Clause
    word: str
    why: str
    sentence: Sentence


def unanswered(clauses: Clauses, source_text: str) -> tuple[Unanswered, ...]:
    """The open words of a text that its clauses do not answer, in the order of the text.

    Looked at are all sentences with a clause, also changed ones; clauses of the kinds flavour and note have
    nothing to answer. Sentences without a clause are `new` in `match`.
    """
    drift = match(clauses, source_text)
    pairs = [(part.entry, part.sentence) for part in (*drift.matched, *drift.moved)]
    pairs += [(part.entry, part.sentence) for part in drift.changed]
    pairs.sort(key=lambda pair: (pair[1].line, pair[1].ordinal))
    known = checklist(clauses.language)
    return tuple(
        Unanswered(clause, word, known[word].why, sentence)
        for clause, sentence in pairs
        if isinstance(clause, Clause) and clause.kind not in UNASKED
        for word in open_words(sentence.text, clauses.language)
        if word not in clause.words
    )
