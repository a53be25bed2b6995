// The figure of a lab: draws axes and the layers in them, and reports clicks and drags.

// Milliseconds before a picture is announced to a screen reader; width of a grip, in pixels of the
// sheet.
const SPOKEN_AFTER = 600;
const GRIP = 25;

// The cursor on a mark that moves along some axes, and what its slider says.
const PULLS = { x: ["ew-resize", "horizontal"], y: ["ns-resize", "vertical"], xy: ["move", null] };

// Of a page whose reader has pulled a mark once; until then the first grip of each figure says so.
const PULLED = "knnviz-pulled";

// CSS pixels of a page whose panels stand one below the other, on a sheet at least so wide; and the
// height below which an axis says little.
const PHONE = 470;
const NARROWEST = 440;
const LOWEST = 200;

function inside(value, [low, high]) {
  return Math.min(Math.max(value, low), high);
}

function element(tag, attributes, parent, text) {
  const made = document.createElement(tag);
  Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
  if (text !== undefined) made.textContent = text;
  parent?.append(made);
  return made;
}

// Set properties of an element that have other values: a page of JupyterLab finds its styles anew
// after each one.
function put(made, properties) {
  Object.entries(properties).forEach(([name, value]) => {
    if (String(made[name]) !== String(value)) made[name] = value;
  });
}

// Set the text of an element, in place: the page keeps the styles about it. A browser that
// translates wraps the text.
function say(made, text) {
  if (made.textContent === text) return;
  if (made.childNodes.length === 1 && made.firstChild.nodeType === Node.TEXT_NODE)
    made.firstChild.data = text;
  else made.textContent = text;
}

// A sheet for a page too narrow for its letters: panels one below the other, each at most as wide
// as the page. A panel that becomes narrower keeps its shape, but for one that would be too low.
function stacked({ panels }, width) {
  let top = 0;
  const moved = panels.map((panel) => {
    const { box } = panel;
    const [left, above, wide, high] = panel.rectangle;
    const inner = Math.min(wide, width - (box.right - box.left - wide));
    const lower = Math.max((high * inner) / wide, Math.min(high, LOWEST));
    const shift = top - box.top;
    const rectangle = [left - box.left, above + shift, inner, lower];
    const from = rectangle[0] - Math.min(panel.legend_left, rectangle[0]);
    const legend = columned(panel, width - from);
    top = box.bottom + shift + lower - high + legend.more;
    return { ...panel, rectangle, legend_columns: legend.columns };
  });
  return { panels: moved, size: [width, top] };
}

// What a browser knows of a page as long as it is open, or of all pages; nothing where it may not,
// or has no room.
function recalled(key, store = "sessionStorage") {
  try {
    return JSON.parse(window[store].getItem(key));
  } catch {
    return null;
  }
}

function remember(key, value, store = "sessionStorage") {
  try {
    window[store].setItem(key, JSON.stringify(value));
  } catch {}
}

// A mark is pulled ``now``, or one may have been before.
function pulled(now) {
  if (now) remember(PULLED, true, "localStorage");
  if (now || recalled(PULLED, "localStorage")) document.body.classList.add(PULLED);
}

// Draws the ``layers`` of a lab on its ``state.sheet``, the size and panels of the picture; sends
// picks as a ``step``.
function figure(lab, parent) {
  const { recorded } = lab.state.controls;
  const kind = `knnviz-figure${recorded ? "" : " knnviz-picked"}`;
  const root = element("div", { class: kind }, parent);
  const canvas = element("canvas", { role: "img" }, root);
  const above = element("canvas", { class: "knnviz-axes" }, root);
  const grips = element("div", { class: "knnviz-grips" }, root);
  const status = element("div", { class: "knnviz-status", role: "status" }, root);
  const painters = new Map();
  let pending = 0;
  let speech = 0;
  let held = null;
  let drawn = 0;
  let asked = null;
  let axesOf = [];
  let stack = {};
  let past = {};

  // The sheet as it is drawn here.
  function laid() {
    const { sheet } = lab.state;
    const page = root.clientWidth;
    const width = Math.max(page, NARROWEST);
    if (!sheet || page > PHONE || sheet.size[0] <= width) return sheet;
    if (stack.of !== sheet || stack.width !== width)
      stack = { of: sheet, width, sheet: stacked(sheet, width) };
    return stack.sheet;
  }

  // Unpack a layer again only if the kernel sent it again.
  function painter(name) {
    const layer = lab.layers[name];
    if (painters.get(name)?.layer !== layer)
      painters.set(name, { layer, paint: PAINTERS[layer.kind](layer) });
    return painters.get(name).paint;
  }

  function draw() {
    cancelAnimationFrame(pending);
    pending = 0;
    drawn = performance.now();
    const sheet = laid();
    if (!sheet || !root.clientWidth) return;
    const [width, height] = sheet.size;
    put(root.style, { aspectRatio: `${width} / ${height}` });
    const zoom = root.clientWidth / width;
    const context = cleared(canvas, sheet, zoom);
    sheet.panels.forEach((panel) => drawPanel(context, panel));
    // Axes and legends lie above the layers, and are drawn again only if they change.
    const key = [zoom, devicePixelRatio, sheet];
    if (key.some((each, i) => each !== axesOf[i])) {
      const over = cleared(above, sheet, zoom);
      sheet.panels.forEach((panel) => drawAxes(over, panel));
      axesOf = key;
    }
    grip(sheet, zoom);
    finish();
  }

  // An empty canvas of the size that the sheet has on the screen, to draw on in pixels of the
  // sheet.
  function cleared(canvas, { size }, zoom) {
    const sides = size.map((side) => Math.round(side * zoom * devicePixelRatio));
    const context = canvas.getContext("2d");
    put(canvas, { width: sides[0], height: sides[1] });
    context.setTransform(sides[0] / size[0], 0, 0, sides[1] / size[1], 0, 0);
    context.clearRect(0, 0, ...size);
    return context;
  }

  // What draws the curves of a panel at the step before, if they stay.
  function ghost(name) {
    const { before } = lab.way;
    if (before !== past.before) past = { before, paints: {} };
    if (before[name]) return (past.paints[name] ??= ghostly(before[name]));
    return null;
  }

  function drawPanel(context, panel) {
    context.save();
    context.beginPath();
    context.rect(...panel.rectangle);
    context.clip();
    const scale = scales(panel);
    panel.layers.forEach((name) => painter(name)(context, scale));
    ghost(panel.name)?.(context, scale);
    context.restore();
  }

  // Announce what is drawn: at once in the attributes, and to a screen reader after a pause.
  function finish() {
    const { number, alt, drawn } = lab.state;
    root.dataset.state = JSON.stringify(drawn);
    root.dataset.frame = number;
    root.dataset.ahead = lab.early;
    canvas.setAttribute("aria-label", alt);
    clearTimeout(speech);
    if (!lab.isAhead) speech = setTimeout(() => (status.textContent = alt), SPOKEN_AFTER);
    lab.drawn(number);
  }

  // A focusable grip over each mark that can be dragged; the same elements as long as the marks are
  // the same.
  function grip(sheet, zoom) {
    const wanted = sheet.panels.flatMap((panel) =>
      panel.layers.flatMap((name) =>
        (lab.layers[name].handles ?? []).map((title, i) => ({ panel, name, title, i })),
      ),
    ).filter(({ name }) => lab.state.movable?.includes(name) ?? true);
    const key = wanted.map(({ name, title }) => `${name} ${title}`).join();
    if (grips.dataset.key !== key) {
      grips.dataset.key = key;
      grips.replaceChildren(...wanted.map(gripped));
    }
    put(grips.style, { fontSize: `${Math.round(GRIP * zoom)}px` });
    wanted.forEach(({ panel, name, i }, which) => {
      const place = positions(lab.layers[name]);
      const scale = scales(panel);
      const made = grips.children[which];
      made.mark = { panel, name, i };
      const at = [scale.x(place.x[i]), scale.y(place.y[i])];
      const [left, top] = at.map((pixels, axis) => `${(100 * pixels) / sheet.size[axis]}%`);
      put(made.style, { left, top });
      const rounded = [place.x[i], place.y[i]].map((at) => Number(at.toPrecision(3)));
      made.setAttribute("aria-valuenow", place.x[i]);
      made.setAttribute("aria-valuetext", lab.layers[name].spoken?.[i] ?? rounded.join(", "));
    });
  }

  function gripped({ name, title }) {
    const made = element("div", { role: "slider", tabindex: "0", "aria-label": title, ...OURS });
    const [cursor, ariaOrientation] = PULLS[lab.layers[name].pulls];
    put(made.style, { cursor });
    put(made, { ariaOrientation });
    made.addEventListener("keydown", step);
    return made;
  }

  function schedule() {
    if (!pending) pending = requestAnimationFrame(draw);
  }

  // Drawn at once, since the browser's next repaint is half an interval away; a second update
  // within it waits.
  function update() {
    if (performance.now() - drawn > 12) draw();
    else schedule();
  }

  // Move a mark on the page at once, and tell the kernel; without a mark, only tell.
  function pick(panel, x, y, mark) {
    if (mark) {
      if (!document.body.classList.contains(PULLED)) pulled(true);
      const place = positions(lab.layers[mark.name]);
      [place.x[mark.i], place.y[mark.i]] = [x, y];
      schedule();
    }
    const layer = mark?.name.slice(`layer_${panel.name}_`.length) ?? null;
    lab.step("pick", panel.name, x, y, layer, mark?.i ?? 0);
  }

  // Where an event stands on the sheet, in its pixels.
  function placed(event) {
    const { size } = laid();
    const box = canvas.getBoundingClientRect();
    return [
      ((event.clientX - box.left) / box.width) * size[0],
      ((event.clientY - box.top) / box.height) * size[1],
    ];
  }

  // A press takes hold of the mark whose grip is under it, or else picks in the panel. A finger
  // picks once it goes sideways or is lifted: one that goes up or down scrolls the page.
  function press(event) {
    const [px, py] = placed(event);
    const { mark } = event.target;
    if (recorded && !mark) return;
    const panel = mark?.panel ?? laid().panels.find((each) => scales(each).holds(px, py));
    if (!panel || held || event.button !== 0) return;
    const scrolls = event.pointerType === "touch" && !mark;
    held = { panel, mark, from: scrolls ? [px, py] : null };
    lab.hold(1);
    root.setPointerCapture(event.pointerId);
    if (!scrolls) point(event);
  }

  // A drag stays in its panel: at the rim if the pointer leaves it.
  function point(event) {
    if (!held) return;
    const { panel, mark, from } = held;
    const [px, py] = placed(event);
    if (from && event.type === "pointermove" && Math.abs(px - from[0]) <= Math.abs(py - from[1]))
      return;
    held.from = asked = null;
    const { dataX, dataY } = scales(panel);
    pick(panel, inside(dataX(px), panel.xlim), inside(dataY(py), panel.ylim), mark);
  }

  function release() {
    if (!held) return;
    // A mark that may not follow the hand goes back to where the kernel has it.
    if (held.mark) delete lab.layers[held.mark.name]?.places;
    if (held.mark) painters.delete(held.mark.name);
    held = null;
    lab.hold(-1);
    schedule();
  }

  // Arrow keys move a mark by a hundredth of the axes, with shift by a tenth; from the place asked
  // for last, since presses come faster than answers.
  function step(event) {
    const direction = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
    }[event.key];
    if (!direction) return;
    event.preventDefault();
    const { panel, name, i } = event.currentTarget.mark;
    const now = performance.now();
    const place = positions(lab.layers[name]);
    const scale = scales(panel);
    const [left, top, width, height] = panel.rectangle;
    const fresh = asked && asked.name === name && asked.i === i && now - asked.when < SPOKEN_AFTER;
    const [px, py] = fresh ? asked.place : [scale.x(place.x[i]), scale.y(place.y[i])];
    const far = event.shiftKey ? 0.1 : 0.01;
    const moved = [
      inside(px + direction[0] * width * far, [left, left + width]),
      inside(py - direction[1] * height * far, [top, top + height]),
    ];
    asked = { place: moved, when: now, name, i };
    pick(panel, scale.dataX(moved[0]), scale.dataY(moved[1]), { name, i });
  }

  // A page that moves to another screen changes its pixel ratio, though no size changes.
  let density = null;
  function watchDensity() {
    density?.removeEventListener("change", watchDensity);
    density = matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
    density.addEventListener("change", watchDensity);
    schedule();
  }

  const resized = new ResizeObserver(schedule);
  resized.observe(root);
  root.addEventListener("pointerdown", press);
  pulled(false);
  root.addEventListener("pointermove", (event) => event.buttons === 1 && point(event));
  root.addEventListener("pointerup", (event) => held?.from && point(event));
  ["pointerup", "pointercancel", "lostpointercapture"].forEach((kind) => {
    root.addEventListener(kind, release);
  });
  watchDensity();

  function close() {
    if (held) lab.hold(-1);
    resized.disconnect();
    density.removeEventListener("change", watchDensity);
    cancelAnimationFrame(pending);
    clearTimeout(speech);
  }

  return { update, close };
}
