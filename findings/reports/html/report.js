"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const say = (key, fields) => data.say[key].replace(/\{(\w+)\}/g, (_, k) => fields[k]);
  const $$ = (css, root = document) => [...root.querySelectorAll(css)];
  document.documentElement.classList.add("js");

  // -- pictures -----------------------------------------------------------------------------------
  const svg = "http://www.w3.org/2000/svg";
  const draw = (box, [picture, text, changed]) => {
    box.replaceChildren();
    if (picture < 0) return;
    const [width, height, ...shapes] = data.pictures[picture];
    const made = document.createElementNS(svg, "svg");
    made.setAttribute("class", "table");
    made.setAttribute("viewBox", `0 0 ${width} ${height}`);
    made.setAttribute("width", width * 1.25);
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", data.texts[text] || data.say.stops);
    made.innerHTML = shapes.map((n) => data.shapes[n]).join("");
    box.append(made);
  };

  // -- steps --------------------------------------------------------------------------------------
  let active = null;
  const steppers = new Map();
  const stepper = (article) => {
    if (steppers.has(article)) return steppers.get(article);
    const box = article.querySelector(".stepper"), steps = data.plays[article.dataset.f];
    if (!box || !steps) return null;
    const items = $$(".steps li", box), picture = box.querySelector(".pic");
    const caption = box.querySelector("figcaption"), at = box.querySelector(".at");
    const made = { article, box, now: -1, last: steps.length - 1 };
    made.go = (k, keep = true) => {
      made.now = Math.max(0, Math.min(made.last, k));
      const step = steps[made.now], changed = step[2].map((n) => data.texts[n]).join(", ");
      draw(picture, step);
      caption.textContent = (data.texts[step[1]] || data.say.stops) + (changed ? " " + say("changed", { fields: changed }) : "");
      items.forEach((item, n) => {
        item.classList.toggle("on", n === made.now);
        if (n === made.now) item.setAttribute("aria-current", "step"); else item.removeAttribute("aria-current");
      });
      at.textContent = made.now ? say("step", { k: made.now, n: made.last }) : data.say.setup;
      active = made;
      if (keep) history.replaceState(null, "", `#${article.id}/${made.now}`);
    };
    items.forEach((item, n) => item.addEventListener("click", (e) => { if (!e.target.closest("a")) made.go(n); }));
    $$("[data-go]", box).forEach((b) => b.addEventListener("click", () => made.move(b.dataset.go)));
    made.move = (how) => made.go({ first: 0, prev: made.now - 1, next: made.now + 1, last: made.last }[how]);
    steppers.set(article, made);
    return made;
  };
  const branches = (details) => {
    const all = data.branches[details.closest("article").dataset.f] || [];
    $$(".side", details).forEach((side, n) => $$(".pic", side).forEach((box, k) => { if (!box.firstChild) draw(box, all[n][k]); }));
  };
  $$("details.play").forEach((d) => d.addEventListener("toggle", () => {
    const made = d.open && stepper(d.closest("article"));
    if (made && made.now < 0) made.go(made.last, false);
    if (made) active = made;
  }));
  $$("details.branches").forEach((d) => d.addEventListener("toggle", () => { if (d.open) branches(d); }));
  const keys = { ArrowLeft: "prev", k: "prev", ArrowRight: "next", j: "next", Home: "first", End: "last" };
  document.addEventListener("keydown", (e) => {
    const how = keys[e.key];
    if (!how || e.ctrlKey || e.metaKey || e.altKey || e.target.closest("input,select,textarea,.flow,.scroll")) return;
    const near = e.target.closest("article");
    const made = (near && near.querySelector("details.play[open]") && stepper(near)) || active;
    if (!made || !made.box.offsetParent) return;
    if ((e.key === "Home" || e.key === "End") && !near) return;
    e.preventDefault();
    made.move(how);
  });

  // -- addresses ------------------------------------------------------------------------------------
  const visit = () => {
    const [id, step] = decodeURIComponent(location.hash.slice(1)).split("/");
    const target = id && document.getElementById(id);
    if (!target) return;
    for (let d = target.closest("details") || target.parentElement.closest("details"); d; d = d.parentElement.closest("details")) d.open = true;
    if (target.matches("article")) {
      if (target.hidden) { form.reset(); filter(); }
      if (step !== undefined) {
        const play = target.querySelector("details.play"), made = stepper(target);
        if (play && made) { made.go(Number(step) || 0, false); play.open = true; }
      }
      target.scrollIntoView();
    } else if (target.matches(".sentences > div")) target.scrollIntoView({ block: "center" });
  };
  window.addEventListener("hashchange", visit);

  // -- filters ----------------------------------------------------------------------------------------
  const form = document.querySelector(".filter"), articles = $$("article.finding");
  const texts = new Map(articles.map((a) => [a, a.textContent.toLowerCase()]));
  const value = (id) => { const e = document.getElementById(id); return e ? e.value : ""; };
  const filter = () => {
    const words = value("q").toLowerCase().split(/\s+/).filter(Boolean);
    const by = { status: value("by-status"), stake: value("by-stake"), code: value("by-code") }, variant = value("by-variant");
    let shown = 0;
    articles.forEach((a) => {
      const fits = Object.entries(by).every(([k, v]) => !v || a.dataset[k] === v)
        && (!variant || a.dataset.variants.split(" ").includes(variant)) && words.every((w) => texts.get(a).includes(w));
      a.hidden = !fits;
      shown += fits;
    });
    $$(".chapter").forEach((c) => { c.hidden = !c.querySelector("article:not([hidden])"); });
    document.getElementById("count").textContent = say("shown", { n: shown, all: articles.length });
  };
  form.addEventListener("input", filter);
  form.addEventListener("submit", (e) => e.preventDefault());
  filter();

  // -- flows --------------------------------------------------------------------------------------------
  $$(".flow").forEach((box) => {
    const drawing = box.querySelector("svg"), whole = drawing.getAttribute("viewBox").split(/\s+/).map(Number);
    let view = [...whole], from = null;
    const show = () => drawing.setAttribute("viewBox", view.join(" "));
    const zoom = (by, x = 0.5, y = 0.5) => {
      const width = Math.max(whole[2] / 12, Math.min(whole[2] * 1.5, view[2] * by)), k = width / view[2];
      view = [view[0] + view[2] * (1 - k) * x, view[1] + view[3] * (1 - k) * y, width, view[3] * k];
      show();
    };
    const pan = (dx, dy) => { view[0] += dx * view[2]; view[1] += dy * view[3]; show(); };
    const reset = () => { view = [...whole]; show(); };
    $$("[data-zoom]", box).forEach((b) => b.addEventListener("click", () => ({ in: () => zoom(0.75), out: () => zoom(1 / 0.75), all: reset })[b.dataset.zoom]()));
    box.addEventListener("wheel", (e) => {
      if (!e.ctrlKey && document.activeElement !== box) return;
      e.preventDefault();
      const r = drawing.getBoundingClientRect();
      zoom(e.deltaY > 0 ? 1.15 : 1 / 1.15, (e.clientX - r.left) / r.width, (e.clientY - r.top) / r.height);
    }, { passive: false });
    drawing.addEventListener("pointerdown", (e) => { from = [e.clientX, e.clientY, ...view]; });
    window.addEventListener("pointerup", () => { from = null; });
    drawing.addEventListener("pointermove", (e) => {
      if (!from || !e.buttons) return;
      const r = drawing.getBoundingClientRect(), k = Math.max(view[2] / r.width, view[3] / r.height);
      view[0] = from[2] - (e.clientX - from[0]) * k;
      view[1] = from[3] - (e.clientY - from[1]) * k;
      show();
    });
    box.addEventListener("keydown", (e) => {
      const does = { "+": () => zoom(0.75), "=": () => zoom(0.75), "-": () => zoom(1 / 0.75), "0": reset,
        ArrowLeft: () => pan(-0.1, 0), ArrowRight: () => pan(0.1, 0), ArrowUp: () => pan(0, -0.1), ArrowDown: () => pan(0, 0.1) }[e.key];
      if (does && e.target === box) { e.preventDefault(); does(); }
    });
  });

  // -- print ----------------------------------------------------------------------------------------------
  window.addEventListener("beforeprint", () => {
    $$("details").forEach((d) => { d.open = true; });
    $$("details.branches").forEach(branches);
    articles.forEach((a) => { const made = stepper(a); if (made && made.now < 0) made.go(made.last, false); });
  });
  visit();
})();
