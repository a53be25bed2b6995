// The browser painter: draws the layers that the kernel sends, in the rectangles that the chrome leaves open.

const READERS = { uint8: Uint8Array, uint16: Uint16Array, int32: Int32Array, float32: Float32Array };
const FONT = '"DejaVu Sans", Verdana, sans-serif';
const PAPER = "#FFFFFF";
const INK = "#1A1A1A";
const RING_GAP = 5;
const RING_WIDTH = 1.3;
const SPOKEN_AFTER = 600;

function array(packed) {
  const { buffer, byteOffset, byteLength } = packed.data;
  return new READERS[packed.dtype](buffer.slice(byteOffset, byteOffset + byteLength));
}

// From data coordinates of a panel to CSS pixels of the sheet, and back.
function scales(panel) {
  const [left, top, width, height] = panel.rectangle;
  const [x0, x1] = panel.xlim;
  const [y0, y1] = panel.ylim;
  return {
    x: (value) => left + ((value - x0) / (x1 - x0)) * width,
    y: (value) => top + ((y1 - value) / (y1 - y0)) * height,
    dataX: (pixel) => x0 + ((pixel - left) / width) * (x1 - x0),
    dataY: (pixel) => y1 - ((pixel - top) / height) * (y1 - y0),
    holds: (px, py) => px >= left && px <= left + width && py >= top && py <= top + height,
  };
}

// A colour as one opaque pixel, in the byte order of all machines that run a browser: lowest byte red.
function pixel(color) {
  const [red, green, blue] = [1, 3, 5].map((start) => parseInt(color.slice(start, start + 2), 16));
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

// Each painter unpacks a layer once and returns a function that draws it.
const PAINTERS = {
  Raster(layer) {
    const [rows, columns] = layer.codes.shape;
    const codes = array(layer.codes);
    const tile = new OffscreenCanvas(columns, rows);
    tile.getContext("2d").putImageData(colored(codes, rows, columns, layer.palette), 0, 0);
    const borders = layer.outline ? edges(codes, rows, columns) : null;
    return (context, scale) => {
      const [x0, x1, y0, y1] = layer.extent;
      const left = scale.x(x0), top = scale.y(y1), width = scale.x(x1) - left, height = scale.y(y0) - top;
      context.imageSmoothingEnabled = false;
      context.drawImage(tile, left, top, width, height);
      if (!borders) return;
      context.beginPath();
      for (let i = 0; i < borders.length; i += 4) {
        context.moveTo(left + (borders[i] / columns) * width, top + (borders[i + 1] / rows) * height);
        context.lineTo(left + (borders[i + 2] / columns) * width, top + (borders[i + 3] / rows) * height);
      }
      stroke(context, layer.outline, 1);
    };
  },

  Lines(layer) {
    const x = array(layer.x), y = array(layer.y);
    return (context, scale) => {
      context.beginPath();
      let open = false;
      for (let i = 0; i < x.length; i++) {
        const gap = Number.isNaN(x[i]) || Number.isNaN(y[i]);
        if (!gap) context[open ? "lineTo" : "moveTo"](scale.x(x[i]), scale.y(y[i]));
        open = !gap;
      }
      context.setLineDash(layer.dash);
      stroke(context, layer.color, layer.width);
      context.setLineDash([]);
    };
  },

  Points(layer) {
    const x = array(layer.x), y = array(layer.y), codes = array(layer.codes), ringed = array(layer.ringed);
    return (context, scale) => {
      layer.markers.forEach((marker, code) => {
        context.fillStyle = layer.palette[code];
        for (let i = 0; i < x.length; i++) {
          if (codes[i] === code) stamp(context, marker, scale.x(x[i]), scale.y(y[i]), layer.size);
        }
      });
      context.beginPath();
      const radius = (layer.size + RING_GAP) / 2;
      for (let i = 0; i < x.length; i++) {
        if (!ringed[i]) continue;
        context.moveTo(scale.x(x[i]) + radius, scale.y(y[i]));
        context.arc(scale.x(x[i]), scale.y(y[i]), radius, 0, 2 * Math.PI);
      }
      stroke(context, INK, RING_WIDTH);
    };
  },

  Marks(layer) {
    const x = array(layer.x), y = array(layer.y);
    return (context, scale) => {
      layer.texts.forEach((text, i) => {
        const px = scale.x(x[i]), py = scale.y(y[i]);
        if (layer.crossed) cross(context, px, py, layer.color);
        label(context, text, px, py, layer);
      });
    };
  },
};

function colored(codes, rows, columns, palette) {
  const image = new ImageData(columns, rows);
  const pixels = new Uint32Array(image.data.buffer);
  const colors = palette.map(pixel);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      pixels[row * columns + column] = colors[codes[(rows - 1 - row) * columns + column]];
    }
  }
  return image;
}

// Borders between cells of different codes as x0, y0, x1, y1 in cells from the upper left, straight runs joined.
function edges(codes, rows, columns) {
  const found = [];
  const at = (row, column) => codes[(rows - 1 - row) * columns + column];
  for (let column = 1; column < columns; column++) {
    for (let row = 0; row < rows; row++) {
      const start = row;
      while (row < rows && at(row, column) !== at(row, column - 1)) row++;
      if (row > start) found.push(column, start, column, row);
    }
  }
  for (let row = 1; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const start = column;
      while (column < columns && at(row, column) !== at(row - 1, column)) column++;
      if (column > start) found.push(start, row, column, row);
    }
  }
  return found;
}

function stroke(context, color, width) {
  context.strokeStyle = color;
  context.lineWidth = width;
  context.stroke();
}

function stamp(context, marker, px, py, size) {
  context.beginPath();
  marker.forEach(([dx, dy], i) => context[i ? "lineTo" : "moveTo"](px + dx * size, py - dy * size));
  context.closePath();
  context.fill();
  stroke(context, PAPER, 0.8);
}

function cross(context, px, py, color) {
  context.beginPath();
  context.moveTo(px - 9, py);
  context.lineTo(px + 9, py);
  context.moveTo(px, py - 9);
  context.lineTo(px, py + 9);
  stroke(context, PAPER, 7);
  stroke(context, color, 3);
}

function label(context, text, px, py, layer) {
  const shift = { left: [10, 0], right: [-10, 0], center: [0, -10] }[layer.align];
  context.font = `bold ${layer.size}px ${FONT}`;
  context.textAlign = layer.align;
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.strokeStyle = PAPER;
  context.lineWidth = 4;
  context.strokeText(text, px + shift[0], py + shift[1]);
  context.fillStyle = layer.color;
  context.fillText(text, px + shift[0], py + shift[1]);
}

function inside(value, [low, high]) {
  return Math.min(Math.max(value, low), high);
}

function element(tag, attributes, parent) {
  const made = document.createElement(tag);
  Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
  parent.append(made);
  return made;
}

function render({ model, el }) {
  const root = element("div", { class: "knnviz-figure" }, el);
  const canvas = element("canvas", { role: "img", tabindex: "0" }, root);
  const frame = element("img", { alt: "" }, root);
  const status = element("div", { class: "knnviz-status", role: "status" }, root);
  const painters = new Map();
  let pending = 0, speech = 0, shown = null, number = 0, held = null, drawn = 0, asked = null;

  // Unpack a layer again only if the kernel sent it again.
  function painter(name) {
    const layer = model.get(name);
    if (!layer) return null;
    if (painters.get(name)?.layer !== layer) painters.set(name, { layer, paint: PAINTERS[layer.kind](layer) });
    return painters.get(name).paint;
  }

  function draw() {
    cancelAnimationFrame(pending);
    pending = 0;
    drawn = performance.now();
    const scene = model.get("scene");
    if (!scene.size || !root.clientWidth) return;
    const [width, height] = scene.size;
    root.style.aspectRatio = `${width} / ${height}`;
    const zoom = root.clientWidth / width;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * zoom * ratio);
    canvas.height = Math.round(height * zoom * ratio);
    const context = canvas.getContext("2d");
    context.setTransform(canvas.width / width, 0, 0, canvas.height / height, 0, 0);
    scene.panels.forEach((panel) => drawPanel(context, panel));
    finish(model.get("frame"));
  }

  function drawPanel(context, panel) {
    context.save();
    context.beginPath();
    context.rect(...panel.rectangle);
    context.clip();
    const scale = scales(panel);
    panel.layers.forEach((name) => painter(name)?.(context, scale));
    context.restore();
  }

  // Say what is drawn: at once to whoever looks at the page, and to a screen reader when the hand rests.
  function finish(current) {
    root.dataset.state = JSON.stringify(current.state ?? {});
    root.dataset.frame = Number(root.dataset.frame ?? 0) + 1;
    canvas.setAttribute("aria-label", current.alt ?? "");
    clearTimeout(speech);
    speech = setTimeout(() => (status.textContent = current.alt ?? ""), SPOKEN_AFTER);
  }

  function schedule() {
    if (!pending) pending = requestAnimationFrame(draw);
  }

  // A message is drawn at once, since waiting for the next frame costs half a frame; a second one in a frame waits.
  function arrived() {
    if (performance.now() - drawn > 12) draw();
    else schedule();
  }

  function dress() {
    const bytes = model.get("chrome");
    if (!bytes?.byteLength) return;
    URL.revokeObjectURL(shown);
    shown = URL.createObjectURL(new Blob([bytes], { type: "image/png" }));
    frame.src = shown;
  }

  function pick(panel, x, y) {
    number = Math.max(number, model.get("picked").number ?? 0) + 1;
    model.set("picked", { panel, x, y, number });
    model.save_changes();
  }

  // A press picks in the panel under it; a drag stays in that panel, at its rim if the hand leaves it.
  function point(event) {
    const { size, panels } = model.get("scene");
    const box = canvas.getBoundingClientRect();
    const px = ((event.clientX - box.left) / box.width) * size[0];
    const py = ((event.clientY - box.top) / box.height) * size[1];
    if (event.type === "pointerdown") held = event.button !== 0 ? null : panels.find((each) => scales(each).holds(px, py));
    if (!held) return;
    asked = null;
    pick(held.name, inside(scales(held).dataX(px), held.xlim), inside(scales(held).dataY(py), held.ylim));
  }

  // Arrow keys move the query point by a hundredth of the axes, with shift by a tenth; from the place asked for last,
  // since presses come faster than answers.
  function step(event) {
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    const panel = model.get("scene").panels?.find((each) => model.get(`layer_${each.name}_query`));
    if (!direction || !panel) return;
    event.preventDefault();
    const query = model.get(`layer_${panel.name}_query`);
    const now = performance.now();
    const from = asked && now - asked.when < SPOKEN_AFTER ? asked.place : [array(query.x)[0], array(query.y)[0]];
    const moved = [panel.xlim, panel.ylim].map(([low, high], axis) => {
      return inside(from[axis] + direction[axis] * (high - low) * (event.shiftKey ? 0.1 : 0.01), [low, high]);
    });
    asked = { place: moved, when: now };
    pick(panel.name, ...moved);
  }

  function died() {
    if (!root.querySelector(".knnviz-dead")) {
      element("div", { class: "knnviz-dead", role: "alert" }, root).textContent =
        "The kernel behind this picture is gone: run this cell again.";
    }
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
  model.on("change", arrived);
  model.on("change:chrome", dress);
  model.on("comm:close", died);
  model.on("comm_live_update", died);
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    point(event);
  });
  canvas.addEventListener("pointermove", (event) => event.buttons === 1 && point(event));
  ["pointerup", "pointercancel", "lostpointercapture"].forEach((kind) => {
    canvas.addEventListener(kind, () => (held = null));
  });
  canvas.addEventListener("keydown", step);
  dress();
  watchDensity();
  const attended = attend(root);
  return () => {
    resized.disconnect();
    density.removeEventListener("change", watchDensity);
    attended();
    cancelAnimationFrame(pending);
    clearTimeout(speech);
    URL.revokeObjectURL(shown);
  };
}

// Once the figure stands in its lab: name the sliders, silence the notebook's shortcuts, hide the saved picture.
function attend(root) {
  let watch = null, saved = null;
  const waiting = setInterval(() => {
    const lab = root.closest(".knnviz-lab");
    if (!lab) return;
    clearInterval(waiting);
    tend(lab);
    watch = new MutationObserver(() => tend(lab));
    watch.observe(lab, { childList: true, subtree: true });
    saved = lab.closest(".jp-OutputArea-child")?.previousElementSibling;
    if (saved?.querySelector("img[alt]") || saved?.querySelector(".jp-RenderedImage")) saved.style.display = "none";
    else saved = null;
  }, 30);
  return () => {
    clearInterval(waiting);
    watch?.disconnect();
    if (saved) saved.style.display = "";
  };
}

// JupyterLab looks for the attribute on the focused element alone, hence on each.
function tend(lab) {
  lab.querySelectorAll("canvas, button, select, input, .noUi-handle, .widget-readout").forEach((part) => {
    part.dataset.lmSuppressShortcuts = "true";
  });
  lab.querySelectorAll(".widget-hslider").forEach((slider) => {
    const title = slider.querySelector(".widget-label")?.textContent ?? "";
    slider.querySelectorAll(".noUi-handle, .widget-readout").forEach((part) => part.setAttribute("aria-label", title));
  });
}

export default { render };
