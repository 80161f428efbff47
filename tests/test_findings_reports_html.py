"""The HTML report: whole, escaped, alone; every finding has its address, every play its pictures."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from typing import Any

import pytest
from lxml import html

from findings.detail import Phases
from findings.reports import html as report
from findings.reports.html.pictures import Store
from findings.reports.html.svg import linked
from findings.reports.i18n import texts
from findings.reports.names import policy_name
from tests import report_samples as samples


@pytest.fixture(scope="module")
def page() -> str:
    return report.render(
        samples.book(), texts(), words=samples.words(), draw=samples.draw(), made=samples.DAY
    )


@pytest.fixture(scope="module")
def tree(page: str) -> Any:
    return html.document_fromstring(page)


def data(tree: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(tree.get_element_by_id("data").text)
    return found


def test_every_finding_stands_at_its_address_under_its_section(tree: Any) -> None:
    for item in samples.book().items:
        article = tree.get_element_by_id(f"f-{item.finding.fingerprint}")
        assert article.getparent().get("id") == f"c-{item.section.id}"
        assert item.finding.question in article.text_content()
    titles = [h.text_content() for h in tree.cssselect(".chapter > h3")]
    assert titles == ["Setup", "On Your Turn", "End of the Game"]


def test_the_questions_come_first_the_gravest_in_front(tree: Any) -> None:
    asked = [a.text_content() for a in tree.cssselect("#summary .questions > li > a")]
    assert asked[0] == "Does the player who lights the last lantern roll again?"
    assert len(asked) == len(samples.book().questions)


def test_nothing_is_fetched_and_only_the_page_s_own_script_runs(page: str, tree: Any) -> None:
    assert not re.search(r"""(?:src|href|xlink:href|action)\s*=\s*["'](?!#)""", page)
    assert "@import" not in page
    assert "url(" not in page
    scripts = tree.cssselect("script:not([type])")
    assert len(scripts) == 1
    digest = base64.b64encode(hashlib.sha256(scripts[0].text.encode()).digest()).decode()
    policy = tree.cssselect("meta[http-equiv='Content-Security-Policy']")[0].get("content")
    assert policy == f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"


def test_every_link_within_the_page_leads_somewhere(tree: Any) -> None:
    ids = {e.get("id") for e in tree.iter() if isinstance(e.tag, str) and e.get("id")}
    links = [a.get("href")[1:] for a in tree.iter("a") if a.get("href")]
    assert len(links) > 100
    assert [link for link in links if link not in ids] == []


def test_no_id_is_given_twice(tree: Any) -> None:
    ids = [e.get("id") for e in tree.iter() if isinstance(e.tag, str) and e.get("id")]
    assert len(ids) == len(set(ids))


def test_a_play_has_a_picture_for_each_step_and_marks_what_changed(tree: Any) -> None:
    found = data(tree)
    contradiction = samples.one("RL101")
    steps = found["plays"][contradiction.fingerprint]
    assert len(steps) == contradiction.witness.length + 1 == 5  # type: ignore[union-attr]
    assert len(tree.cssselect(f"#f-{contradiction.fingerprint} .steps li")) == 5
    shapes = found["shapes"]

    def drawn(step: list[Any]) -> str:
        return "".join(shapes[n] for n in found["pictures"][step[0]][2:])

    assert 'class="x"' not in drawn(steps[0])
    assert drawn(steps[2]).count('class="x"') == 3  # a lantern, the pot, a player's coins
    assert [found["texts"][n] for n in steps[2][2]] == ["stage of the turn", "lanterns", "pot", "coins"]
    assert "1 of 2 lanterns burn" in found["texts"][steps[2][1]]


def test_the_readings_stand_side_by_side_from_the_parting(tree: Any) -> None:
    contradiction = samples.one("RL101")
    sides = tree.cssselect(f"#f-{contradiction.fingerprint} .side")
    assert [s.cssselect("h5")[0].text_content().split(" ")[2] for s in sides] == [
        "end.all-burn",
        "turn.again",
    ]
    assert [s.cssselect(".end")[0].text_content() for s in sides] == [
        "The game is over.",
        "The game goes on.",
    ]
    found = data(tree)["branches"][contradiction.fingerprint]
    assert [len(side) for side in found] == [len(s.cssselect(".pic")) for s in sides] == [2, 1]


def test_shapes_pictures_and_texts_are_stored_once() -> None:
    store = Store(samples.draw(), samples.words())
    play = samples.one("RL101").play
    assert store.steps(play) == store.steps(play)
    found = store.data()
    assert len(found["pictures"]) == len(play)
    for key in ("shapes", "texts"):
        assert len(found[key]) == len(set(found[key]))


def test_a_table_of_another_version_gets_no_picture() -> None:
    store = Store(samples.draw(), samples.words())
    play = samples.one("RL101").play
    strange = [type(s)(text="?", state={"phase": "NEW"}, position="somewhere") for s in play]
    assert {step[0] for step in store.steps(strange)} == {-1}


def test_the_flow_links_each_step_to_its_rule(tree: Any) -> None:
    links = tree.cssselect("#flow svg a")
    targets = {a.get("href") for a in links}
    assert {"#r0-moon", "#r0-star", "#r0-light"} <= targets
    row = tree.get_element_by_id("r0-light")
    assert {a.get("href") for a in row.iter("a")} == {"#s-turn.star", "#s-turn.coin", "#s-turn.once"}


def test_a_drawing_that_was_tampered_with_keeps_its_shapes_alone() -> None:
    bad = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        'onload="a()" viewBox="0 0 9 9">'
        '<script>a()</script><style>*{}</style><foreignObject><p>x</p></foreignObject><image href="http://e.example"/>'
        '<a xlink:href="javascript:a()" xlink:title="go: x.y">'
        '<path onclick="a()" d="M0 0" fill="url(http://e.example)"/></a>'
        '<a xlink:href="javascript:a()" xlink:title="&lt;b&gt; no: rule"><text>T</text></a></svg>'
    )
    assert linked(bad, "r0-", "the <flow>") == (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" role="group" '
        'aria-label="the &lt;flow&gt;">'
        '<a href="#r0-go" aria-label="go: x.y"><path d="M0 0"/></a><g><text>T</text></g></svg>'
    )


@pytest.mark.parametrize(
    "drawn", ["", "no", "<html/>", "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><x>&e;</x>"]
)
def test_what_is_no_drawing_gives_none(drawn: str) -> None:
    assert linked(drawn, "r0-", "x") == ""


def test_the_map_shows_what_became_of_each_sentence(tree: Any) -> None:
    squares = {a.get("href")[3:]: a for a in tree.cssselect(".map a")}
    assert list(squares) == [s.id for s in samples.book().sentences]
    assert squares["turn.again"].get("aria-label") == "turn.again: acted in play, 1 finding"
    assert squares["end.wish"].get("class") == "sq u-exempt"


def test_the_scope_says_what_the_report_rests_on(tree: Any) -> None:
    told = tree.get_element_by_id("scope").text_content()
    for part in ("how many can play", "end.wish: flavour", "52 reachable states", "coins: 5"):
        assert part in told
    assert "with --source FILE" in told


def test_with_the_text_the_original_sentences_stand_in_the_page() -> None:
    page = report.render(samples.book(with_source=True), texts(), words=samples.words())
    assert "0 recorded sentences are not in the text" in page
    assert '<q class="orig" lang="en">Whoever lights a lantern takes one coin.</q>' in page


def test_without_a_picture_module_the_page_has_none() -> None:
    page = report.render(samples.book(), texts(), words=samples.words())
    found = data(html.document_fromstring(page))
    assert found["pictures"] == []
    assert found["texts"]


def test_the_same_audit_gives_the_same_page(page: str) -> None:
    again = report.render(
        samples.book(), texts(), words=samples.words(), draw=samples.draw(), made=samples.DAY
    )
    assert again == page


def test_a_flow_that_nobody_drew_is_left_out() -> None:
    assert linked(Phases(svg="").svg, "r0-", "x") == ""


def test_a_report_of_three_hundred_findings_stays_small() -> None:
    page = report.render(
        samples.viewed(samples.many(300)), texts(), words=samples.words(), draw=samples.draw()
    )
    assert page.count('<article class="finding"') == 300
    assert len(page.encode()) < 5_000_000


def test_the_day_stands_apart_from_the_counts(tree: Any) -> None:
    (lead,) = tree.cssselect("header .lead")
    told = " ".join(lead.text_content().split())
    assert told.startswith("5 findings · ")
    assert told.endswith(" · March 1, 2026")
    assert "  ·" not in told


def test_how_games_were_played_is_told_in_the_language_of_the_page() -> None:
    assert policy_name(texts("de"), "random print") == "zufällig gespielt print"
    assert policy_name(texts(), "random") == "random"
