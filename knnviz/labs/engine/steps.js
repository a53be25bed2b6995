// Steps of a lab, one at a time: each says what to do, does it, and shows what was found once the
// lab has arrived there.

// Milliseconds in which a step moves a slider, and the least between two of its moves.
const WAY = 1000;
const STRIDE = 40;

// How the name of the picture before is written.
const BEFORE = { align: "left", size: 12, halo: 3, color: "#6B6B6B" };

// What a page knows of the way through the steps of a lab: those reached, the one on show, whether
// all are, the last picture at the start (-1) or at a step, and the curves of the one before, by
// panel. A page that is loaded anew still knows it by the lab's id.
function setOut(id) {
  const { reached = [], at = 0, before = {} } = recalled(id) ?? {};
  return { id, reached: new Set(reached), at, all: false, last: null, before };
}

function noted({ id, reached, at, before }) {
  if (id) remember(id, { reached: [...reached], at, before });
}

// A strip with one step, and a mark for each; returns the function that updates it.
function steps(lab, parent) {
  const all = lab.state.controls.steps;
  const opened = lab.state.values;
  const { way } = lab;
  if (!all.length) return () => {};
  // On paper the findings stand with what explains them.
  const kind = `knnviz-strip${all[0].explains ? " knnviz-explained" : ""}`;
  const part = element("div", { class: kind, role: "group", "aria-label": "Steps" }, parent);
  const list = element("ol", {}, part);
  const rows = all.map((step, i) =>
    stepRow(lab, step, i, () => set(i), all[i + 1] && (() => open(i + 1, true)), list),
  );
  const marks = element("div", { class: "knnviz-marks" }, part);
  element("span", {}, marks, "Steps");
  const dots = all.map((step, i) => button("", plain(step.do), () => open(i), marks));
  const reveal = button("Show all", "Show all steps, and what each finds", showAll, marks);
  let walking = 0;
  let wanted = null;
  let arrived = -1;
  let counted = 0;

  // Show a step, and go to it; one that is being done does not come back when it is.
  function open(i, goes) {
    way.at = i;
    arrived = wanted ?? arrived;
    noted(way);
    lab.views.forEach((view) => view.settings());
    if (goes) rows[i].take();
  }

  // What waits on the page for a step looks there.
  function tell() {
    counted = way.reached.size;
    window.knnvizSteps ??= new Set();
    way.reached.forEach((i) => window.knnvizSteps.add(all[i].explains));
    window.dispatchEvent(new Event("knnviz-step"));
  }

  function showAll() {
    way.all = !way.all;
    lab.views.forEach((view) => view.settings());
  }

  // Do a step. The one before counts as done, also where the lab had no time to arrive there.
  function set(i) {
    if (wanted !== null && wanted !== i) way.reached.add(wanted);
    walk(all[i].values);
    wanted = i;
    lab.views.forEach((view) => view.settings());
  }

  // As a hand would: a slider goes through the values between, other controls jump. A hand on a
  // control stops it.
  function walk(values) {
    stop();
    const moved = Object.keys(values).filter((name) => values[name] !== lab.value(name));
    const [one] = lab.state.controls.parameters.filter(({ name }) => name === moved[0]);
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const slides = moved.length === 1 && ["slider", "steps"].includes(one.kind) && !calm;
    if (slides) slide(one, values[one.name]);
    else if (moved.length) lab.moves(Object.fromEntries(moved.map((name) => [name, values[name]])));
  }

  function slide({ name, kind }, value) {
    const { place, placeOf, go, nearest } = track(lab, name, kind);
    const from = place();
    const since = performance.now();
    function next() {
      const part = (performance.now() - since) / WAY;
      walking = part < 1 ? setTimeout(next, STRIDE) : 0;
      if (!walking) lab.move(name, value);
      else if (!lab.late) go(nearest(from + (placeOf(value) - from) * part, true));
    }
    next();
  }

  function stop() {
    clearTimeout(walking);
    walking = 0;
    wanted = null;
  }

  ["pointerdown", "keydown", "input"].forEach((kind) => {
    parent.addEventListener(kind, ({ target }) => target.closest(".knnviz-strip") || stop(), true);
  });

  return () => {
    if (!lab.state.steps) return;
    const settled = !lab.waits && !lab.hands && !walking;
    const isThere = (i) => lab.state.steps[i][0];
    const found = isThere(way.at) ? way.at : lab.state.steps.findIndex(([there]) => there);
    const here = settled ? found : -1;
    const comes = here >= 0 && here !== arrived;
    if (comes || (here >= 0 && !way.reached.has(here))) {
      way.reached.add(here);
      if (comes) way.at = here;
      noted(way);
    }
    if (settled) arrived = here;
    if (wanted === here) wanted = null;
    if (way.reached.size !== counted) tell();
    part.classList.toggle("knnviz-all", way.all);
    put(reveal, { ariaPressed: way.all });
    rows.forEach((row, i) => {
      const isReached = way.reached.has(i);
      const hint = settled ? lab.state.steps[i][1] : "";
      row.update(i === way.at, i === here, isReached, way.all, hint);
      row.finding.hidden = i === wanted;
      // A projected strip has no room for numbers.
      const done = `✓ ${lab.state.projector ? "" : all[i].key}`.trim();
      put(dots[i].dataset, { done });
      say(dots[i], isReached ? done : `${i + 1}`);
      const name = `Step ${i + 1}${isReached ? ", done" : ""}`;
      put(dots[i], { ariaLabel: name, ariaCurrent: i === way.at });
    });
    const begins = Object.keys(opened).every((name) => opened[name] === lab.state.values[name]);
    if (settled && !lab.state.ask && (here >= 0 || begins)) arrive(here);
    // A hand that came near is taken to the values that the finding speaks of.
    if (comes && Object.keys(lab.state.steps[here][2]).length) lab.moves(lab.state.steps[here][2]);
  };

  // Keep the picture here, and that of the step before as a ghost where a step asks for it.
  function arrive(here) {
    const { state, layers } = lab;
    if (here !== way.last?.here && (way.last || !all[here]?.ghost)) {
      way.before = all[here]?.ghost ? ghosts(way.last, lab) : {};
      noted(way);
    }
    way.last = { here, panels: state.sheet.panels, layers: { ...layers } };
  }
}

// What to do, with a button that does it, or goes on once it is done, and what was found.
function stepRow(lab, { do: todo, see }, i, act, goOn, list) {
  const row = element("li", { "data-see": spaced(see) }, list);
  const line = element("div", {}, row);
  element("b", {}, line, `${i + 1}.`);
  emphasize(element("span", {}, line), todo, lab);
  const both = element("span", { class: "knnviz-go" }, line);
  const go = button("Do it for me", `Step ${i + 1}`, act, both);
  const on = goOn && button("Next step", `Step ${i + 2}`, goOn, both);
  const finding = element("p", { role: "status" }, row);
  const hint = element("small", { role: "status" }, row);
  return {
    finding,
    take: () => go.focus(),
    update(isOpen, isHere, isReached, isAll, text) {
      row.classList.toggle("knnviz-open", isOpen);
      row.classList.toggle("knnviz-here", isHere);
      if (on) on.hidden = !isReached || isAll;
      if (isHere && document.activeElement === go) on?.focus();
      go.hidden = isHere;
      say(go, isReached ? "Do it again" : "Do it for me");
      if (isReached || isAll) finding.childNodes.length || emphasize(finding, see, lab);
      say(hint, isReached || isAll ? "" : text);
    },
  };
}

// By panel the lines of a picture that are no more, the longest last: of those without regions, and
// where a curve was another.
function ghosts({ panels, layers }, { state, layers: now }) {
  const shown = state.sheet.panels.flatMap((panel) => panel.layers);
  const form = ({ x, y }) => `${array(x)} ${array(y)}`;
  const moved = (name) => !shown.includes(name) || form(layers[name]) !== form(now[name]);
  const drawn = (names) => names.filter((name) => layers[name].kind === "Lines" && moved(name));
  const copied = ({ x, y, color }) => ({ x: [...array(x)], y: [...array(y)], color });
  const copies = (names) => drawn(names).map((name) => copied(layers[name]));
  const sorted = (names) => copies(names).sort((one, other) => one.x.length - other.x.length);
  const curves = panels.filter((panel) => !panel.layers.some((name) => "extent" in layers[name]));
  const found = curves.map((panel) => [panel.name, sorted(panel.layers)]);
  return Object.fromEntries(found.filter(([, lines]) => lines.at(-1)?.x.length > 2));
}

// What draws the lines of a picture before: thin and pale, the last one with a name at its end.
function ghostly(curves) {
  const packed = (values) => ({
    dtype: "float32",
    data: new DataView(Float32Array.from(values, (each) => each ?? NaN).buffer),
  });
  const paints = curves.map(({ x, y, color }) =>
    PAINTERS.Lines({ x: packed(x), y: packed(y), color, width: 2, dash: [] }),
  );
  const { x, y } = curves.at(-1);
  const end = y.findLastIndex(Number.isFinite);
  return (context, scale) => {
    context.globalAlpha = 0.4;
    paints.forEach((paint) => paint(context, scale));
    context.globalAlpha = 1;
    label(context, "before", scale.x(x[end]) - 9, scale.y(y[end]) - 10, BEFORE, scale.box);
  };
}
