"""The page in a real browser: stepper, keys, addresses, filters, flow, phone, dark, print, and axe-core.

Needs Chromium (`apt-get install chromium`) and the extra `browser` (playwright, axe-core); skipped otherwise.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from findings.reports import html
from findings.reports.i18n import texts
from tests import report_samples as samples

playwright = pytest.importorskip("playwright.sync_api", reason="the extra `browser` is not installed")
BROWSER = shutil.which(os.environ.get("CHROMIUM", "chromium"))
pytestmark = pytest.mark.skipif(BROWSER is None, reason="chromium is not installed")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(
        html.render(samples.book(), texts(), words=samples.words(), draw=samples.draw(), made=samples.DAY),
        "utf-8",
    )
    return path.as_uri()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    made = context.new_page()
    errors: list[str] = []
    made.on("pageerror", lambda error: errors.append(str(error)))
    made.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
    made.goto(address)
    yield made
    context.close()
    assert errors == []


ANCHOR = f"f-{samples.one('RL101').fingerprint}"


def at(page: Any) -> str:
    return str(page.inner_text(f"#{ANCHOR} .at"))


def test_the_play_is_stepped_through_by_buttons_and_keys(page: Any) -> None:
    page.click(f"#{ANCHOR} details.play summary")
    assert at(page) == "Step 4 of 4"
    page.click(f"#{ANCHOR} [data-go=first]")
    assert at(page) == "The setup"
    assert page.get_attribute(f"#{ANCHOR} [data-go=prev] + .at + [data-go=next]", "aria-label") == "Step on"
    for key, step in (
        ("j", "Step 1 of 4"),
        ("ArrowRight", "Step 2 of 4"),
        ("k", "Step 1 of 4"),
        ("ArrowLeft", "The setup"),
    ):
        page.keyboard.press(key)
        assert at(page) == step
    page.click(f"#{ANCHOR} .steps li:nth-child(3)")
    assert at(page) == "Step 2 of 4"
    assert page.evaluate("location.hash") == f"#{ANCHOR}/2"
    assert page.inner_text(f"#{ANCHOR} .steps li.on").startswith("Player 1 lights lantern 1.")
    assert "1 of 2 lanterns burn" in page.get_attribute(f"#{ANCHOR} .now svg", "aria-label")
    assert page.inner_text(f"#{ANCHOR} figcaption").endswith(
        "Changed: stage of the turn, lanterns, pot, coins"
    )


def test_an_address_leads_to_its_finding_and_step(browser: Any, address: str) -> None:
    page = browser.new_page()
    page.goto(f"{address}#{ANCHOR}/2")
    assert at(page) == "Step 2 of 4"
    assert page.is_visible(f"#{ANCHOR} .now svg")
    assert page.locator(f"#{ANCHOR} .now svg .x").count() == 3
    page.close()


def test_keys_leave_the_search_alone(page: Any) -> None:
    page.click(f"#{ANCHOR} details.play summary")
    page.fill("#q", "")
    page.type("#q", "jjkk")
    assert at(page) == "Step 4 of 4"


def test_the_readings_stand_side_by_side(page: Any) -> None:
    page.click(f"#{ANCHOR} details.branches summary")
    sides = page.locator(f"#{ANCHOR} .side")
    boxes = [sides.nth(n).bounding_box() for n in range(sides.count())]
    assert len(boxes) == 2
    assert boxes[0]["y"] == boxes[1]["y"]
    assert boxes[0]["x"] < boxes[1]["x"]
    assert page.locator(f"#{ANCHOR} .side svg").count() == 3


def test_filters_and_search_narrow_the_findings(page: Any) -> None:
    assert page.inner_text("#count") == "5 of 5 findings shown"
    page.select_option("#by-stake", "STOP")
    assert page.inner_text("#count") == "1 of 5 findings shown"
    page.select_option("#by-stake", "")
    page.fill("#q", "equally coins")
    assert page.inner_text("#count") == "1 of 5 findings shown"
    assert page.locator(".chapter:visible").count() == 1
    page.click(f'#summary a[href="#{ANCHOR}"]')  # a finding that the filter hides comes back
    assert page.is_visible(f"#{ANCHOR}")
    assert page.inner_text("#count") == "5 of 5 findings shown"


def test_a_step_of_the_flow_leads_to_its_sentences(page: Any) -> None:
    drawing = page.locator(".flow svg")
    whole = drawing.get_attribute("viewBox")
    page.click(".flow [data-zoom=in]")
    assert drawing.get_attribute("viewBox") != whole
    page.focus(".flow")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("0")
    assert drawing.get_attribute("viewBox") == " ".join(
        str(float(n)).removesuffix(".0") for n in str(whole).split()
    )
    page.evaluate(
        "document.querySelector('.flow a[href=\"#r0-light\"]')"
        ".dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    )
    assert page.evaluate("location.hash") == "#r0-light"
    page.wait_for_selector("#r0-light", state="visible")
    page.click('#r0-light a[href="#s-turn.star"]')
    page.wait_for_selector("#s-turn\\.star", state="visible")


def test_printing_opens_everything(page: Any) -> None:
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    assert page.locator("nav:visible").count() == 0
    assert page.locator(".now svg").count() == sum(bool(f.play) for f in samples.lantern().findings)


@pytest.mark.parametrize(
    "context",
    [
        {},
        {"color_scheme": "dark"},
        {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True},
    ],
    ids=["light", "dark", "phone"],
)
def test_axe_finds_nothing_and_nothing_sticks_out(
    browser: Any, address: str, context: dict[str, Any]
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core is not installed")
    made = browser.new_context(**context)
    page = made.new_page()
    page.goto(address)
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    page.wait_for_selector(f"#{ANCHOR} .now svg")
    found = axe.Axe().run(page).response["violations"]
    assert [(v["id"], [n["html"] for n in v["nodes"]][:2]) for v in found] == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    made.close()
