// The page's copy of a lab: its state and layers, the queue of steps to send, and its views.

// Of a page that is projected: a class, and the event when it changes.
const HALL = "knnviz-hall";

// CSS pixels of a lab below which all stands one below the other.
const NARROW = 600;

// Ways to arrange a lab that opens on some controls, and one that is projected, and how much of the
// width each needs beside the figure.
const WAYS = { beside: 170, above: 0, side: 310 };
const PROJECTED = { ...WAYS, column: 272 };

// Bounds of a figure in sheets, CSS pixels kept free (SPARE below a new column), worth of a way kept.
const SMALLEST = 0.89;
const LARGEST = 1.25;
const FREE = 24;
const SPARE = 140;
const STAYS = 1.05;

// What scrolls a notebook.
const WINDOW = ".jp-WindowedPanel-outer";

// What a model says when its kernel is gone.
const DEATHS = ["comm:close", "comm_live_update"];

// Milliseconds after which a page sends a message again that has no answer yet.
const PATIENCE = 10000;

// The page's side of one lab, shared by all of its views. ``value`` is what a control shows: the
// value asked for last until a frame answers, then that of the state.
function connect(model) {
  const page = Math.random().toString(36).slice(2);
  const views = new Set();
  const asked = new Map();
  // The kernel's newest frame; frames ahead of the moves of one control, by value, with the frame
  // of the kernel that they differ from; of these the one on show, if it is one.
  let truth = { state: {}, layers: {} };
  let ahead = null;
  let early = null;
  let taken = null;
  let seq = 0;
  let sent = null;
  let queue = [];
  let again = 0;
  let answered = 0;

  const lab = {
    state: {},
    layers: {},
    views,
    hands: 0,
    unanswered: false,
    early: 0,
    get waits() {
      return sent !== null || queue.length > 0;
    },
    // Whether the picture of what was asked for last is not there yet, and whether the one on show
    // has come ahead of its move.
    get late() {
      return lab.waits && !(early && early.asked === asked.get(early.name));
    },
    get isAhead() {
      return early !== null;
    },
    value: (name) => asked.get(name)?.value ?? lab.state.values[name],
    projected: () => asked.get(HALL)?.value ?? lab.state.projector,
    move: (name, value) => lab.moves({ [name]: value }),
    moves(values) {
      Object.entries(values).forEach(([name, value]) => asked.set(name, { value, seq: Infinity }));
      lab.step("move", values);
      const [name, ...others] = Object.keys(values);
      if (name !== taken && !others.length) lab.take(name);
      if (foresee()) show();
      else views.forEach((view) => view.settings());
    },
    step,
    // A hand takes a control.
    take(name) {
      taken = name;
      model.send({ page, hand: name });
    },
    // Count the hands on controls and figures: 1 for a press, -1 for a release.
    hold(change) {
      lab.hands += change;
      if (!lab.hands) views.forEach((view) => view.settings());
    },
    drawn(number) {
      if (!lab.state.ask || number <= answered) return;
      answered = number;
      model.send({ page, drawn: number });
    },
  };

  // Only moves of one target are merged: buttons, and what lies between two moves, never.
  function step(kind, ...given) {
    const last = queue.at(-1);
    const step = [kind, ...given];
    if (kind !== "move") taken = null;
    if (last && kind === last[0] && target(step) !== null && target(step) === target(last))
      queue.pop();
    queue.push(step);
    send();
  }

  function send() {
    if (sent || !queue.length) return;
    [sent, queue] = [queue, []];
    seq += 1;
    asked.forEach((each) => (each.seq = Math.min(each.seq, seq)));
    post();
  }

  // A message that comes twice is taken once.
  function post() {
    model.send({ page, seq, steps: sent });
    again = setTimeout(() => {
      lab.unanswered = true;
      views.forEach((view) => view.all());
      post();
    }, PATIENCE);
  }

  function hello() {
    model.send({ page, hello: truth.state.number ?? -1 });
  }

  // After a missed frame the page asks for the whole state; an older frame has nothing new.
  function receive(frame, buffers) {
    if (frame.ahead) return keep(frame, buffers);
    resolved(frame.layers, buffers);
    const { layers, applied, base, controls = truth.state.controls, ...state } = frame;
    const whole = "controls" in frame;
    const known = truth.state.number ?? -1;
    if (!whole && state.number > known + 1) return hello();
    if (state.number >= known) truth = after(truth, { state: { ...state, controls }, layers });
    acknowledge(applied[page] ?? 0);
    if (ahead && base !== ahead.base) ahead = taken = null;
    if (!ahead || applied[page] >= early?.seq) early = null;
    if (!early) foresee();
    show();
    send();
  }

  function show() {
    const { number, ask } = truth.state;
    const { state, layers } = early?.frame ?? truth;
    Object.assign(lab, { state: { ...state, number, ask }, layers });
    views.forEach((view) => view.all());
  }

  // Frames ahead begin with their base; each is kept, and shown if it was asked for meanwhile.
  async function keep({ ahead: { base, name }, value, sizes }, [packed]) {
    if (!packed && base === truth.state.number) ahead = { base, name, truth, frames: new Map() };
    if (!packed || ahead?.base !== base || ahead.name !== name) return;
    const { frames } = ahead;
    const [text, ...buffers] = parts(sizes, await unpacked(packed));
    const { layers, ...state } = JSON.parse(new TextDecoder().decode(text));
    resolved(layers, buffers);
    frames.set(value, { state, layers });
    if (asked.get(name)?.value === value && foresee()) show();
  }

  // Take the frame ahead of the value that was asked for last, if it is there, and nothing but that
  // control has moved; whether it is another.
  function foresee() {
    const wanted = ahead && asked.get(ahead.name);
    const frame = wanted && ahead.frames.get(wanted.value);
    if (!frame || early?.asked === wanted) return false;
    const others = [...(sent ?? []), ...queue].some(
      ([kind, given]) => kind !== "move" || `${Object.keys(given)}` !== ahead.name,
    );
    if (others) return false;
    const at = queue.length ? seq + 1 : seq;
    early = { name: ahead.name, asked: wanted, seq: at, frame: after(ahead.truth, frame) };
    lab.early += 1;
    return true;
  }

  function acknowledge(applied) {
    asked.forEach((each, name) => each.seq <= applied && asked.delete(name));
    if (!sent || applied < seq) return;
    sent = null;
    lab.unanswered = false;
    clearTimeout(again);
  }

  // All labs of a page are projected together, also one that comes later; the page's text grows
  // with them.
  function follow() {
    const on = document.body.classList.contains(HALL);
    asked.set(HALL, { value: on, seq: Infinity });
    step("project", on);
    views.forEach((view) => view.settings());
  }

  model.on("msg:custom", receive);
  DEATHS.forEach((kind) => model.on(kind, () => (ahead = null)));
  receive(...model.get("whole"));
  lab.way = setOut(lab.state.id);
  hello();
  if (document.body.classList.contains(HALL)) follow();
  window.addEventListener(HALL, follow);
  lab.close = () => window.removeEventListener(HALL, follow);
  return lab;
}

function project(on) {
  document.body.classList.toggle(HALL, on);
  window.dispatchEvent(new Event(HALL));
}

// The frame that comes to be when parts of one change.
const after = (frame, { state, layers }) => ({
  state: { ...frame.state, ...state },
  layers: { ...frame.layers, ...layers },
});

// What a step moves, if a later step can replace it.
function target([kind, ...given]) {
  if (kind === "move") return `move ${Object.keys(given[0])}`;
  if (kind === "project") return kind;
  if (kind === "pick") return `pick ${[given[0], given[3], given[4]]}`;
  return null;
}

// The arrays of layers.
function arrays(layers) {
  const fields = Object.values(layers).flatMap((layer) => Object.values(layer));
  return fields.filter((each) => each?.dtype);
}

async function unpacked(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Parts that stand one after the other.
function parts(sizes, bytes) {
  let end = 0;
  return sizes.map((size) => bytes.subarray(end, (end += size)));
}

// Replace the numbers of buffers by the buffers; a recording sends a layer again as it is.
function resolved(layers, buffers) {
  arrays(layers).forEach((each) => {
    if (typeof each.data === "number") each.data = buffers[each.data];
  });
}

// Whether a page shows a model as it was saved with its notebook, which no kernel knows: so it is
// with its layout.
const isGone = (model) => model.get("layout")?.comm_live === false;

// Say that what stands here is not live.
const dead = (parent, text) =>
  element("div", { class: "knnviz-dead", role: "alert" }, parent, text);

function render({ model, el }, lab) {
  if (isGone(model)) {
    dead(el, "To use this live, run the cell again.");
    return () => {};
  }
  const root = element("div", { class: "knnviz-lab" }, el);
  const update = controls(lab, root);
  const todo = steps(lab, root);
  const picture = figure(lab, root);
  const numbers = element("div", { class: "knnviz-numbers" }, root);
  const spoken = { class: "knnviz-message", role: "status", "aria-live": "polite" };
  const message = element("div", spoken, root);
  let [place, size, around] = [];
  const kept = {};

  // Have the figure as large as the window leaves it room, in the way in which it is largest with
  // these panels and controls: what is found or counted later changes neither. Not during a drag,
  // which would take a slider away.
  function reshape() {
    const { sheet, projector, controls } = lab.state;
    const wide = root.clientWidth;
    if (!sheet || !wide || lab.hands) return;
    const panels = sheet.panels.map(({ name }) => name);
    const rows = [...root.querySelectorAll(".knnviz-row")].map((each) => each.checkVisibility());
    const before = `${[around, root.dataset.way]}`;
    around = `${[projector, wide, high(), panels]}`;
    const now = `${[around, rows]}`;
    if (now === place && `${sheet.size}` === size) return;
    root.classList.toggle("knnviz-projector", projector);
    const few = controls.first.length ? (projector ? PROJECTED : WAYS) : { whole: 310 };
    const all = wide < NARROW ? { above: 0 } : few;
    const ways = now === place ? [root.dataset.way] : Object.keys(all);
    [place, size] = [now, `${sheet.size}`];
    const sized = ways.map((way) => [fitting(way, wide - all[way]), way]);
    const worth = ([found, its]) => (before === `${[around, its]}` ? STAYS : 1) * found;
    const [width, way] = sized.reduce((best, each) => (worth(each) > worth(best) ? each : best));
    arranged(way, width || Math.min(wide, SMALLEST * sheet.size[0]));
    if (way === "column") kept[around] ??= width;
  }

  const high = () => (root.closest(WINDOW) ?? document.documentElement).clientHeight;

  function arranged(way, width) {
    root.dataset.way = way;
    root.style = `--figure: ${Math.floor(width)}px; --room: ${Math.floor(kept[around] ?? width)}px`;
  }

  // The largest width of the figure with which all but the controls ends in the window in a way, or
  // 0: what is beside a narrower figure is lower, too.
  function fitting(way, room) {
    const { sheet, projector } = lab.state;
    const [width, height] = sheet.size;
    const [, ...others] = root.children;
    root.querySelector(".knnviz-figure").style.aspectRatio = `${width} / ${height}`;
    const before = way === "column" ? kept[around] : room;
    const tall = root.offsetTop + high() - (before ? FREE : SPARE);
    const fits = (at) => {
      arranged(way, at);
      return others.every((each) => each.offsetTop + each.offsetHeight <= tall);
    };
    const most = Math.min(before ?? room, projector ? room : LARGEST * width);
    let found = Math.min(SMALLEST * width, most);
    if (!fits(found)) return 0;
    for (let by = (most - found) / 2; by > 0.5; by /= 2) if (fits(found + by)) found += by;
    return found;
  }

  function settings() {
    update();
    todo();
    reshape();
  }

  function all() {
    const { state } = lab;
    numbers.classList.toggle("knnviz-preview", state.preview);
    numbers.classList.toggle("knnviz-chosen", state.controls.chosen);
    readout(numbers, state.numbers ?? [], state.large);
    const text = lab.unanswered ? "The kernel has not answered yet." : state.message;
    if (message.textContent !== text) message.textContent = text;
    dress(root, lab);
    settings();
    picture.update();
  }

  function kernelGone() {
    if (root.querySelector(".knnviz-dead")) return;
    const gone = "The kernel behind this picture is gone";
    dead(root, `${gone}: run this cell again, or load the page again.`);
  }

  const view = { all, settings };
  const resized = new ResizeObserver(reshape);
  resized.observe(root);
  window.addEventListener("resize", reshape);
  lab.views.add(view);
  DEATHS.forEach((kind) => model.on(kind, kernelGone));
  all();
  return () => {
    lab.views.delete(view);
    resized.disconnect();
    window.removeEventListener("resize", reshape);
    picture.close();
  };
}

// Numbers under their names, the first ones large; the same elements as long as the names are the
// same.
function readout(root, numbers, large) {
  const key = `${large} ${numbers.map(([name]) => name)}`;
  if (root.dataset.key !== key) {
    root.dataset.key = key;
    root.replaceChildren(
      ...numbers.map(([name], i) => {
        const made = element("div", i < large ? { class: "knnviz-large" } : {});
        element("span", {}, made, name);
        element("b", {}, made);
        return made;
      }),
    );
  }
  numbers.forEach(([, text], i) => {
    say(root.children[i].lastChild, text);
  });
}

// What the widget exports: each model has a lab of its own.
function module() {
  let lab = null;
  return {
    initialize({ model }) {
      lab = connect(model);
      return lab.close;
    },
    render: (view) => render(view, lab),
  };
}
