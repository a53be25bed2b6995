// Steps under a picture: each says what to do, does it, and shows what was found once the lab has
// arrived there.

// Milliseconds in which a step moves a slider, and the least between two of its moves.
const WAY = 1000;
const STRIDE = 40;

// What a page knows of the way through the steps of a lab: those reached, the last picture at the
// start (-1) or at a step, and the lines of the picture before, by panel.
const setOut = () => ({ reached: new Set(), last: null, before: {} });

// The list; returns the function that updates it.
function steps(lab, parent, root) {
  const all = lab.state.controls.steps;
  const opened = lab.state.values;
  if (!all.length) return () => {};
  const part = element(
    "div",
    { class: "knnviz-steps", role: "group", "aria-label": "Steps" },
    parent,
  );
  const list = element("ol", {}, part);
  const rows = all.map((step, i) => stepRow(lab, step, () => set(i), list, i));
  const reveal = button(
    "Show all",
    "Show what each step finds",
    () => rows.forEach((row) => row.tell()),
    part,
  );
  let walking = 0;
  let wanted = null;

  // Do a step. The one before counts as done, also where the lab had no time to arrive there.
  function set(i) {
    if (wanted !== null) lab.way.reached.add(wanted);
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
      if (part >= 1) {
        walking = 0;
        lab.move(name, value);
        return;
      }
      walking = setTimeout(next, STRIDE);
      if (!lab.late) go(nearest(from + (placeOf(value) - from) * part, true));
    }
    next();
  }

  function stop() {
    clearTimeout(walking);
    walking = 0;
    wanted = null;
  }

  ["pointerdown", "keydown", "input"].forEach((kind) => {
    root.addEventListener(kind, ({ target }) => target.closest(".knnviz-steps") || stop(), true);
  });

  return () => {
    if (!lab.state.steps) return;
    const settled = !lab.waits && !lab.hands && !walking;
    const here = settled ? lab.state.steps.findIndex(([there]) => there) : -1;
    rows.forEach((row, i) => row.update(i === here, settled ? lab.state.steps[i][1] : ""));
    if (here >= 0) lab.way.reached.add(here);
    lab.way.reached.forEach((i) => {
      rows[i].reach();
      (window.knnvizSteps ??= new Set()).add(all[i].explains);
    });
    // What waits on the page for a step looks there.
    window.dispatchEvent(new Event("knnviz-step"));
    reveal.hidden = rows.every((row) => row.told());
    const begins = Object.entries(opened).every(
      ([name, value]) => lab.state.values[name] === value,
    );
    if (settled && (here >= 0 || begins)) arrive(here);
  };

  // Keep the picture here, and that of the step before as a ghost where a step asks for it.
  function arrive(here) {
    const { way, state, layers } = lab;
    if (here !== way.last?.here) way.before = all[here]?.ghost && way.last ? ghosts(way.last) : {};
    way.last = { here, panels: state.sheet.panels, layers: { ...layers } };
  }
}

function stepRow(lab, { do: todo, see }, act, list, i) {
  const row = element("li", {}, list);
  const line = element("div", {}, row);
  emphasize(line, todo, lab);
  const tick = element("b", { role: "img", "aria-label": "done", hidden: "" }, line, "✓");
  button("Do it for me", `Step ${i + 1}`, act, line);
  const finding = element("p", { role: "status", "data-see": plain(see) }, row);
  const hint = element("small", { role: "status" }, row);

  const told = () => finding.childNodes.length > 0;
  const tell = () => told() || emphasize(finding, see, lab);
  return {
    told,
    tell,
    reach() {
      tick.hidden = false;
      tell();
    },
    update(here, text) {
      if (here) row.setAttribute("aria-current", "step");
      else row.removeAttribute("aria-current");
      const shown = told() ? "" : text;
      if (hint.textContent !== shown) hint.textContent = shown;
    },
  };
}

// The lines of a picture, by panel, as painters: of panels that draw curves, not regions.
function ghosts({ panels, layers }) {
  const curves = panels.filter((panel) => !panel.layers.some((name) => "extent" in layers[name]));
  const painted = ({ layers: names }) =>
    names.map((name) => layers[name]).filter(({ kind }) => kind === "Lines");
  const thin = (layer) => PAINTERS.Lines({ ...layer, width: 1, dash: [] });
  return Object.fromEntries(curves.map((panel) => [panel.name, painted(panel).map(thin)]));
}
