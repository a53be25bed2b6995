// The controls of a lab: native elements, which show the values of the lab unless a hand is on
// them.

// Keeps keys from JupyterLab's shortcuts. JupyterLab looks for it on the focused element alone,
// hence on each.
const OURS = { "data-lm-suppress-shortcuts": "true" };
const NO_PRESET = "choose one";
const NEEDS_PYTHON = "needs Python";

// Speeds of Play, as multiples of its pace.
const SPEEDS = { half: 0.5, normal: 1, double: 2, "five times": 5 };

// Least time between two steps of Play, in milliseconds: less than work in the background waits
// after a move.
const FASTEST = 80;

// Each lab of a page has its own copy of this module.
const UNIQUE = Math.random().toString(36).slice(2);
let count = 0;

// Title, presets, buttons and all controls under their headings; returns the function that updates
// them.
function controls(lab, parent) {
  const { title, first, presets, actions, parameters, recorded } = lab.state.controls;
  const group = { class: "knnviz-controls", role: "group", "aria-label": title };
  const root = element("div", group, parent);
  element("h3", {}, root, title);
  const chosen = element("div", { class: "knnviz-first" }, root);
  const shown = first.map((name) => parameters.find((each) => each.name === name));
  const parts = shown.map((each) => row(lab, each, chosen));
  const buttons = element("div", { class: "knnviz-buttons" }, root);
  actions.forEach(([text, tip]) => button(text, tip, () => lab.step("act", text), buttons));
  if (!recorded) parts.push(projectorSwitch(lab, buttons));
  const rest = first.length ? disclosure(title, buttons, root) : root;
  if (presets.length) parts.push(presetMenu(lab, presets, rest));
  let place = rest;
  let heading = "";
  parameters.forEach((parameter) => {
    if (parameter.group && parameter.group !== heading) {
      heading = parameter.group;
      place = element("fieldset", {}, rest);
      element("legend", {}, place, heading);
    }
    if (!first.includes(parameter.name)) parts.push(row(lab, parameter, place));
  });
  if (recorded) still(root, recorded);
  const update = () => parts.forEach((part) => part());
  update();
  return update;
}

// A fold for the other controls; for each notebook the page remembers whether it is open.
function disclosure(title, buttons, parent) {
  const key = `knnviz ${location.pathname} ${title}`;
  const root = element("div", { class: "knnviz-rest" }, parent);
  const toggle = button("All controls", "", () => show(root.hidden), buttons);

  function show(on) {
    root.hidden = !on;
    put(toggle, { ariaExpanded: on });
    remember(key, on);
  }
  show(recalled(key) ?? false);
  return root;
}

// A recording answers its parameters and the buttons with these texts; everything else is grey.
function still(root, answered) {
  root.classList.add("knnviz-recorded");
  root.querySelectorAll("button, select, input").forEach((each) => {
    if (answered.includes(each.textContent) || each.closest("[data-live]")) return;
    each.disabled = true;
    each.title = NEEDS_PYTHON;
  });
}

// A control and its label before it.
function named(title, control, parent) {
  control.id = `${UNIQUE}-${(count += 1)}`;
  element("label", { for: control.id }, parent, title);
  parent.append(control);
  return control;
}

function button(text, tip, action, parent) {
  const made = element("button", { type: "button", title: tip, ...OURS }, parent, text);
  made.addEventListener("click", action);
  return made;
}

function presetMenu(lab, presets, parent) {
  const sources = presets.map(([name, source]) => `${name}: ${source}`).join("; ");
  const root = element("div", { class: "knnviz-row knnviz-menu", title: sources }, parent);
  const menu = named("preset", element("select", OURS), root);
  [[NO_PRESET], ...presets].forEach(([name]) => menu.append(new Option(name)));
  menu.addEventListener("change", () => menu.value !== NO_PRESET && lab.step("preset", menu.value));
  return () => {
    if (!lab.waits) put(menu, { value: lab.state.preset ?? NO_PRESET });
  };
}

function projectorSwitch(lab, parent) {
  const tip = "Large letters, markers and lines on the whole page, to be read from the back row";
  const made = button("Projector", tip, () => project(!lab.projected()), parent);
  return () => made.setAttribute("aria-pressed", lab.projected());
}

// One parameter: its label, its control, and its value; hidden while it has no effect.
function row(lab, parameter, parent) {
  const { name, kind } = parameter;
  const root = element("div", { class: `knnviz-row knnviz-${kind}` }, parent);
  if (!parameter.still) root.dataset.live = "";
  const update = { slider, steps: slider, number, menu }[kind](lab, parameter, root);
  const input = root.querySelector("input, select");
  const play = parameter.plays ? player(lab, parameter, root) : () => {};
  ["pointerdown", "focusin"].forEach((kind) => {
    root.addEventListener(kind, () => lab.take(name));
  });
  const tip = element("small", { class: "knnviz-tip", hidden: "" }, root);
  root
    .querySelector("label")
    .addEventListener("click", (event) => event.pointerType === "touch" && toggle(event));

  // A finger cannot rest on a name to read what it means: it taps.
  function toggle(event) {
    event.preventDefault();
    tip.hidden = !tip.hidden;
  }

  // What it means, and why it has no other values.
  function explain() {
    const why = lab.state.reasons[name];
    const text = why ? `${parameter.tip}; ${why}` : parameter.tip;
    if (tip.textContent === text) return;
    tip.textContent = root.title = text;
    input.setAttribute("aria-description", text);
  }

  return () => {
    // Not during a drag: Chromium ends the drag of a slider when a row appears.
    if (!lab.hands) put(root, { hidden: lab.state.hidden.includes(name) });
    explain();
    update();
    play();
  };
}

// Whether a hand is on an element: from the press on until it lets go, wherever that is.
function hand(lab, input) {
  const state = { on: false };

  function press(event) {
    if (state.on || event.button !== 0) return;
    [state.on, state.pointer] = [true, event.pointerId];
    lab.hold(1);
    listen("addEventListener");
  }

  function release(event) {
    if (!state.on || (event.pointerId ?? state.pointer) !== state.pointer) return;
    state.on = false;
    listen("removeEventListener");
    lab.hold(-1);
  }

  function listen(how) {
    ["pointerup", "pointercancel"].forEach((kind) => window[how](kind, release));
  }

  input.addEventListener("pointerdown", press);
  input.addEventListener("blur", release);
  return state;
}

// Where a number stands on its track, from 0 on if that is a list of steps, how it goes to another
// place there, and by how much the first step of a whole number changes it.
function track(lab, name, kind) {
  const listed = kind === "steps";
  const limits = () => lab.state.limits[name];
  const ends = () => (listed ? [0, limits().length - 1, 1, 1] : limits());
  const placeOf = (value) => (listed ? limits().findIndex((each) => each[1] === value) : value);

  // The step nearest to a place on the track, of those that a hand drags it over, or of all; the
  // ends are steps as well.
  function nearest(at, dragged) {
    const [low, high, step, stride] = ends();
    const each = dragged ? step * stride : step;
    const near = Number((low + Math.round((at - low) / each) * each).toFixed(12));
    return at >= high || near > high ? high : inside(near, [low, high]);
  }

  return {
    ends,
    placeOf,
    nearest,
    place: () => placeOf(lab.value(name)),
    go: (at) => lab.move(name, listed ? limits()[at][1] : at),
    stride: () => (listed && limits().length > 1 ? limits()[1][1] - limits()[0][1] : ends()[2]),
  };
}

// A range over the steps between two ends, both of them included, or over a list of steps.
function slider(lab, { name, title, kind, digits }, root) {
  const input = named(title, element("input", { type: "range", step: "any", ...OURS }), root);
  const output = element("output", { for: input.id, "aria-live": "off" });
  input.before(output);
  const held = hand(lab, input);
  const { ends, place, go, nearest } = track(lab, name, kind);

  // A key goes on from the value, so that one off the steps comes back to them.
  function keyed(event) {
    const [low, high, step] = ends();
    const at = place();
    const many = Math.max(10, Math.round((high - low) / step / 10));
    const moves = {
      ArrowLeft: -1,
      ArrowDown: -1,
      ArrowRight: 1,
      ArrowUp: 1,
      PageDown: -many,
      PageUp: many,
    };
    const to = { Home: low, End: high }[event.key] ?? at + (moves[event.key] ?? NaN) * step;
    if (Number.isNaN(to)) return;
    event.preventDefault();
    go(nearest(inside(to, [low, high])));
  }

  function update() {
    const value = lab.value(name);
    const shown = lab.state.limits[name].find?.((each) => each[1] === value)?.[0];
    say(output, shown ?? value.toFixed(digits));
    input.setAttribute("aria-valuetext", output.textContent);
    if (held.on) return;
    const [min, max] = ends();
    put(input, { min, max, value: place() });
  }

  input.addEventListener("input", () => go(nearest(Number(input.value), true)));
  input.addEventListener("keydown", keyed);
  return update;
}

// A box for a number that is typed: taken on Enter, and when the reader goes on.
function number(lab, { name, title }, root) {
  const input = named(title, element("input", { type: "number", step: "any", ...OURS }), root);
  let typing = false;

  function commit() {
    typing = false;
    const value = input.valueAsNumber;
    if (Number.isFinite(value) && value !== lab.value(name)) lab.move(name, value);
    else update();
  }

  function update() {
    if (!typing) put(input, { value: lab.value(name) });
  }

  input.addEventListener("input", () => (typing = true));
  input.addEventListener("keydown", (event) => event.key === "Enter" && commit());
  ["change", "blur"].forEach((kind) => input.addEventListener(kind, () => typing && commit()));
  return update;
}

function menu(lab, { name, title }, root) {
  const select = named(title, element("select", OURS), root);
  select.addEventListener("change", () => lab.move(name, select.value));
  return () => {
    const names = lab.state.limits[name];
    if (select.dataset.names !== names.join("\n")) {
      select.dataset.names = names.join("\n");
      select.replaceChildren(...names.map((each) => new Option(each)));
    }
    put(select, { value: lab.value(name) });
  };
}

// Play, single steps and a speed for a whole number: Play waits until the step before is drawn, and
// then takes as many as the time since is worth.
function player(lab, { name, kind }, root) {
  const { ends, place, go, stride } = track(lab, name, kind);
  const row = element("div", { class: "knnviz-player" }, root);
  let playing = false;
  let timer = 0;
  let since = 0;
  let stops = lab.state.stops;
  const toggle = button("", "", () => play(!playing), row);
  button("Back", "One step back", () => by(-1), row);
  button("Step", "One step on", () => by(1), row);
  const speed = named("speed", element("select", OURS), element("span", {}, row));
  Object.entries(SPEEDS).forEach(([text, times]) =>
    speed.append(new Option(text, times, times === 1, times === 1)),
  );
  const pause = () => (lab.state.pace[name] * stride()) / Number(speed.value);

  function play(on) {
    playing = on;
    say(toggle, on ? "Pause" : "Play");
    toggle.title = on
      ? "Stay at this step"
      : "Go through the steps; from the last one on, from the first";
    clearTimeout(timer);
    timer = 0;
    since = performance.now();
    if (on && place() === ends()[1]) go(ends()[0]);
    else update();
  }

  function by(steps) {
    play(false);
    go(inside(place() + steps * ends()[2], ends()));
  }

  function next() {
    if (!row.isConnected) return play(false);
    const each = pause();
    const now = performance.now();
    const steps = Math.max(Math.floor((now - since) / each), 1);
    timer = 0;
    // Time that is worth less than a step counts for the next one.
    since = Math.min(since + steps * each, now);
    go(Math.min(place() + steps * ends()[2], ends()[1]));
  }

  function update() {
    if (lab.state.stops !== stops) {
      stops = lab.state.stops;
      if (playing) play(false);
    }
    if (!playing || timer || lab.late) return;
    if (place() >= ends()[1]) play(false);
    else timer = setTimeout(next, Math.max(pause(), FASTEST) - (performance.now() - since));
  }

  play(false);
  return update;
}
