// What the browser draws for each kind of layer.

const READERS = {
  uint8: Uint8Array,
  uint16: Uint16Array,
  int32: Int32Array,
  float32: Float32Array,
};
const FONT = '"DejaVu Sans", Verdana, sans-serif';
const PAPER = "#FFFFFF";
const INK = "#1A1A1A";
const MUTED = "#6B6B6B";
const HATCH_STEP = 9;
const HATCH_OPACITY = 0.5;

// Points whose picture is worth keeping.
const MANY = 50;

// CSS pixels: heights of letters, width of a spine, lengths of ticks, and gaps about labels and from
// a text to the rim; how far letters reach above and below their base, where their middle is, half
// the height of a text, and the distance of two rows, as multiples of the height.
const LETTERS = 13.5;
const LABEL = 14;
const TITLE = 16;
const SPINE = 0.8;
const TICK = 3.5;
const SMALL_TICK = 2;
const TITLE_GAP = 8;
const LABEL_GAP = 4;
const RIM = 3;
const UP = 0.76;
const DOWN = 0.24;
const MIDDLE = 0.36;
const HALF_HEIGHT = 0.6;
const ROW = 1.22;

// By a text's alignment: how much of its width lies left of its position, and CSS pixels from the
// position to it.
const ALIGNED = {
  left: [0, 13, 0],
  right: [1, -13, 0],
  center: [0.5, 0, -11],
  below: [0.5, 0, 11],
  middle: [0.5, 0, 0],
};

function array(packed) {
  const { buffer, byteOffset, byteLength } = packed.data;
  return new READERS[packed.dtype](buffer.slice(byteOffset, byteOffset + byteLength));
}

// From data coordinates of a panel to CSS pixels of the sheet, and back.
function scales(panel) {
  const [left, top, width, height] = panel.rectangle;
  const [y0, y1] = panel.ylim;
  const forth = panel.log ? Math.log10 : (value) => value;
  const back = panel.log ? (value) => 10 ** value : (value) => value;
  const [x0, x1] = panel.xlim.map(forth);
  return {
    box: panel.rectangle,
    x: (value) => left + ((forth(value) - x0) / (x1 - x0)) * width,
    y: (value) => top + ((y1 - value) / (y1 - y0)) * height,
    dataX: (pixel) => back(x0 + ((pixel - left) / width) * (x1 - x0)),
    dataY: (pixel) => y1 - ((pixel - top) / height) * (y1 - y0),
    holds: (px, py) => px >= left && px <= left + width && py >= top && py <= top + height,
  };
}

// A color, "#RRGGBB" or "#RRGGBBAA", as one pixel, in the byte order of all machines with a
// browser: lowest byte red.
function pixel(color) {
  const [red, green, blue, alpha] = [1, 3, 5, 7].map((start) =>
    parseInt(color.slice(start, start + 2) || "FF", 16),
  );
  return ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

// Each painter unpacks a layer once and returns a function that draws it.
const PAINTERS = {
  Raster(layer) {
    const [rows, columns] = layer.codes.shape;
    const codes = array(layer.codes);
    const tile = tiled(codes, rows, columns, layer.palette);
    const borders = layer.outline ? edges(codes, rows, columns) : null;
    return (context, scale) => {
      const place = rectangle(layer.extent, scale);
      context.imageSmoothingEnabled = false;
      context.drawImage(tile, ...place);
      if (borders) outline(context, borders, rows, columns, place, layer.outline, 1);
    };
  },

  Fill(layer) {
    const [rows, columns] = layer.cells.shape;
    const cells = array(layer.cells);
    const tile = tiled(cells, rows, columns, ["#00000000", layer.color]);
    const borders = edges(cells, rows, columns);
    return (context, scale) => {
      const place = rectangle(layer.extent, scale);
      context.imageSmoothingEnabled = false;
      context.globalAlpha = layer.opacity;
      context.drawImage(tile, ...place);
      context.globalAlpha = 1;
      hatch(context, tile, place, layer);
      // Thin, unlike the circle of neighbors.
      outline(context, borders, rows, columns, place, layer.color, 0.7);
    };
  },

  Band(layer) {
    const x = array(layer.x);
    const lower = array(layer.lower);
    const upper = array(layer.upper);
    return (context, scale) => {
      context.beginPath();
      for (const [start, stop] of runs(x, lower, upper)) {
        for (let i = start; i < stop; i++)
          context[i > start ? "lineTo" : "moveTo"](scale.x(x[i]), scale.y(upper[i]));
        for (let i = stop - 1; i >= start; i--) context.lineTo(scale.x(x[i]), scale.y(lower[i]));
        context.closePath();
      }
      context.globalAlpha = layer.opacity;
      context.fillStyle = layer.color;
      context.fill();
      context.globalAlpha = 1;
    };
  },

  Bars(layer) {
    const x = array(layer.x);
    const heights = array(layer.heights);
    const codes = array(layer.codes);
    return (context, scale) => {
      for (let i = 0; i < x.length; i++) {
        const left = scale.x(x[i] - layer.width / 2);
        const right = scale.x(x[i] + layer.width / 2);
        context.beginPath();
        context.rect(left, scale.y(heights[i]), right - left, scale.y(0) - scale.y(heights[i]));
        context.fillStyle = layer.palette[codes[i]];
        context.fill();
        stroke(context, PAPER, 1);
      }
    };
  },

  Lines(layer) {
    const x = array(layer.x);
    const y = array(layer.y);
    return (context, scale) => {
      context.beginPath();
      for (const [start, stop] of runs(x, y)) {
        for (let i = start; i < stop; i++)
          context[i > start ? "lineTo" : "moveTo"](scale.x(x[i]), scale.y(y[i]));
      }
      context.setLineDash(layer.dash);
      stroke(context, layer.color, layer.width);
      context.setLineDash([]);
    };
  },

  Points(layer) {
    const x = array(layer.x);
    const y = array(layer.y);
    const codes = array(layer.codes);
    const ringed = array(layer.ringed);
    const rings = layer.ring_codes && array(layer.ring_codes);
    const paint = (context, scale) => {
      context.globalAlpha = layer.opacity;
      layer.markers.forEach((marker, code) => {
        context.fillStyle = layer.palette[code];
        for (let i = 0; i < x.length; i++) {
          if (codes[i] !== code) continue;
          stamp(context, marker, scale.x(x[i]), scale.y(y[i]), layer.size, PAPER, layer.halo);
        }
      });
      const radius = (layer.size + layer.ring_gap) / 2;
      (rings ? layer.palette : [INK]).forEach((color, code) => {
        context.beginPath();
        for (let i = 0; i < x.length; i++) {
          if (!ringed[i] || (rings && rings[i] !== code)) continue;
          context.moveTo(scale.x(x[i]) + radius, scale.y(y[i]));
          context.arc(scale.x(x[i]), scale.y(y[i]), radius, 0, 2 * Math.PI);
        }
        stroke(context, color, layer.ring_width);
      });
      context.globalAlpha = 1;
    };
    return x.length < MANY ? paint : kept(paint);
  },

  Annotations(layer) {
    const places = positions(layer);
    return (context, scale) => {
      layer.texts.forEach((text, i) => {
        const px = scale.x(places.x[i]);
        const py = scale.y(places.y[i]);
        if (layer.cross) cross(context, px, py, layer.cross / 2, layer.color);
        label(context, text, px, py, layer, scale.box);
      });
    };
  },
};

// A painter that draws a picture of its own once, and copies it as long as it would draw it alike.
function kept(paint) {
  let key = "";
  let image = null;
  return (context, scale) => {
    const to = context.getTransform();
    const { width, height } = context.canvas;
    const now = [to.a, to.d, width, height, scale.x(1), scale.x(2), scale.y(1), scale.y(2)].join();
    if (now !== key) {
      [key, image] = [now, new OffscreenCanvas(width, height)];
      const own = image.getContext("2d");
      own.setTransform(to);
      paint(own, scale);
    }
    context.resetTransform();
    context.drawImage(image, 0, 0);
    context.setTransform(to);
  };
}

// Where marks stand; a hand that drags one moves it here at once.
function positions(layer) {
  layer.places ??= { x: array(layer.x), y: array(layer.y) };
  return layer.places;
}

// Stretches [start, stop) in which no array holds a NaN.
function* runs(...arrays) {
  let start = 0;
  for (let i = 0; i <= arrays[0].length; i++) {
    if (i < arrays[0].length && !arrays.some((values) => Number.isNaN(values[i]))) continue;
    if (i > start) yield [start, i];
    start = i + 1;
  }
}

function rectangle([x0, x1, y0, y1], scale) {
  const left = scale.x(x0);
  const top = scale.y(y1);
  return [left, top, scale.x(x1) - left, scale.y(y0) - top];
}

// Cells of codes, lowest row first, as an image of one pixel a cell.
function tiled(codes, rows, columns, palette) {
  const tile = new OffscreenCanvas(columns, rows);
  const image = new ImageData(columns, rows);
  const pixels = new Uint32Array(image.data.buffer);
  const colors = palette.map(pixel);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      pixels[row * columns + column] = colors[codes[(rows - 1 - row) * columns + column]];
    }
  }
  tile.getContext("2d").putImageData(image, 0, 0);
  return tile;
}

function outline(context, borders, rows, columns, [left, top, width, height], color, thickness) {
  const x = (at) => left + (at / columns) * width;
  const y = (at) => top + (at / rows) * height;
  context.beginPath();
  for (let i = 0; i < borders.length; i += 4) {
    context.moveTo(x(borders[i]), y(borders[i + 1]));
    context.lineTo(x(borders[i + 2]), y(borders[i + 3]));
  }
  stroke(context, color, thickness);
}

// Stripes over the set cells only: drawn on a canvas of their own, of which the cells are cut out.
function hatch(context, tile, [left, top, width, height], layer) {
  const zoom = context.getTransform().a;
  const canvas = new OffscreenCanvas(Math.ceil(width * zoom), Math.ceil(height * zoom));
  const stripes = canvas.getContext("2d");
  stripes.scale(zoom, zoom);
  striped(stripes, [0, 0, width, height], layer.hatch, HATCH_STEP);
  stroke(stripes, layer.color, 1);
  stripes.globalCompositeOperation = "destination-in";
  stripes.imageSmoothingEnabled = false;
  stripes.drawImage(tile, 0, 0, width, height);
  context.globalAlpha = HATCH_OPACITY;
  context.drawImage(canvas, left, top, canvas.width / zoom, canvas.height / zoom);
  context.globalAlpha = 1;
}

// A path of slanted lines through a rectangle.
function striped(context, [left, top, width, height], way, step) {
  context.beginPath();
  for (let x = left - height; x < left + width; x += step) {
    context.moveTo(x, way === "/" ? top + height : top);
    context.lineTo(x + height, way === "/" ? top : top + height);
  }
}

// Borders between cells of different codes as x0, y0, x1, y1 in cells from the upper left, straight
// runs joined.
function edges(codes, rows, columns) {
  const found = [];
  for (let column = 1; column < columns; column++) {
    const from = (rows - 1) * columns + column;
    const add = (start, stop) => found.push(column, start, column, stop);
    differing(codes, from, -columns, rows, -1, add);
  }
  for (let row = 1; row < rows; row++) {
    const from = (rows - 1 - row) * columns;
    const add = (start, stop) => found.push(start, row, stop, row);
    differing(codes, from, 1, columns, columns, add);
  }
  return found;
}

// Add the stretches [start, stop) of ``count`` cells a step apart that differ from those beside them.
function differing(codes, from, step, count, beside, add) {
  for (let at = 0, start = 0, i = from; at <= count; at++, i += step) {
    if (at < count && codes[i] !== codes[i + beside]) continue;
    if (at > start) add(start, at);
    start = at + 1;
  }
}

function stroke(context, color, width) {
  context.strokeStyle = color;
  context.lineWidth = width;
  context.stroke();
}

function stamp(context, marker, px, py, size, edge, width) {
  context.beginPath();
  marker.forEach(([dx, dy], i) => context[i ? "lineTo" : "moveTo"](px + dx * size, py - dy * size));
  context.closePath();
  context.fill();
  if (width) stroke(context, edge, width);
}

function cross(context, px, py, reach, color) {
  context.beginPath();
  context.moveTo(px - reach, py);
  context.lineTo(px + reach, py);
  context.moveTo(px, py - reach);
  context.lineTo(px, py + reach);
  stroke(context, PAPER, 7);
  stroke(context, color, 3);
}

// A text beside a position, within the axes.
function label(context, text, px, py, layer, [left, top, wide, high]) {
  context.font = `bold ${layer.size}px ${FONT}`;
  context.textAlign = "left";
  context.textBaseline = "middle";
  const [before, across, down] = ALIGNED[layer.align];
  const { width } = context.measureText(text);
  const half = HALF_HEIGHT * layer.size;
  const start = Math.min(px + across - before * width, left + wide - RIM - width);
  const middle = Math.max(py + down, top + RIM + half);
  const x = Math.max(start, left + RIM);
  const y = Math.min(middle, top + high - RIM - half);
  context.lineJoin = "round";
  context.strokeStyle = PAPER;
  // A width of 0 would leave the one before.
  context.lineWidth = layer.halo || 1e-6;
  context.strokeText(text, x, y);
  context.fillStyle = layer.color;
  context.fillText(text, x, y);
}

// Axes about a panel: two spines with ticks, their texts, labels and title, and the legend below.
function drawAxes(context, panel) {
  const { title, xlabel, ylabel, bare, ticks } = panel;
  const [x, y] = ticks;
  const [left, top, width, height] = panel.rectangle;
  const scale = scales(panel);
  const bottom = top + height;
  const down = (at, length) => line(context, at, bottom, at, bottom + length);
  context.fillStyle = INK;
  write(context, title, left, top - TITLE_GAP, `${TITLE}px`, "left");
  context.fillStyle = MUTED;
  if (!bare) {
    context.beginPath();
    line(context, left, top, left, bottom);
    line(context, left, bottom, left + width, bottom);
    x.places.forEach((place) => down(scale.x(place), TICK));
    x.small.forEach((place) => down(scale.x(place), SMALL_TICK));
    y.places.forEach((place) => line(context, left - TICK, scale.y(place), left, scale.y(place)));
    stroke(context, MUTED, SPINE);
  }
  const beyond = 2 * TICK;
  const font = `${LETTERS}px`;
  x.texts.forEach((text, i) =>
    write(context, text, scale.x(x.places[i]), bottom + beyond + UP * LETTERS, font),
  );
  y.texts.forEach((text, i) => {
    write(context, text, left - beyond, scale.y(y.places[i]) + MIDDLE * LETTERS, font, "right");
  });
  const widest = Math.max(0, ...y.texts.map((text) => context.measureText(text).width));
  const below = bottom + beyond + LETTERS + LABEL_GAP + UP * LABEL;
  write(context, xlabel, left + width / 2, below, `${LABEL}px`);
  context.save();
  context.translate(left - beyond - widest - LABEL_GAP, top + height / 2);
  context.rotate(-Math.PI / 2);
  const lines = ylabel.split("\n");
  const base = (i) => (ROW * (i + 1 - lines.length) - DOWN) * LABEL;
  lines.forEach((text, i) => write(context, text, 0, base(i), `${LABEL}px`));
  context.restore();
  drawLegend(context, panel);
}

// Entries of a legend, in columns: down the first one, then the next.
function drawLegend(
  context,
  { legend, legend_columns, legend_size: size, legend_left, legend_offset, rectangle },
) {
  const [left, top, , height] = rectangle;
  let x = left - Math.min(legend_left, left) + 0.2 * size;
  for (const entries of inColumns(legend, legend_columns)) {
    const text = x + 2.4 * size;
    let widest = 0;
    entries.forEach((entry, row) => {
      const base = top + height + legend_offset + (0.2 + UP + ROW * row) * size;
      sample(context, entry, [x, base - 0.7 * size, 1.8 * size, 0.7 * size]);
      context.fillStyle = INK;
      write(context, entry.label, text, base, `${size}px`, "left");
      widest = Math.max(widest, context.measureText(entry.label).width);
    });
    x = text + widest + 1.2 * size;
  }
}

// Entries in columns, of which the first may be longer by one.
function inColumns(entries, most) {
  const columns = Math.min(most, entries.length);
  const rows = Math.floor(entries.length / columns);
  const longer = entries.length % columns;
  return Array.from({ length: columns }, (_, i) => {
    const first = i * rows + Math.min(i, longer);
    return entries.slice(first, first + rows + (i < longer));
  });
}

// In how many columns, at most its own, a legend fits into a width, and how much higher it is then.
function columned({ legend, legend_columns: most, legend_size: size }, width) {
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  context.font = `${size}px ${FONT}`;
  const widths = legend.map((entry) => context.measureText(entry.label).width);
  const needed = (columns) => {
    const widest = inColumns(widths, columns).map((column) => Math.max(...column));
    return widest.reduce((sum, each) => sum + each + 3.6 * size, 0) - 1.2 * size;
  };
  let columns = Math.max(1, Math.min(most, widths.length));
  const before = Math.ceil(widths.length / columns);
  while (columns > 1 && needed(columns) > width) columns -= 1;
  return { columns, more: (Math.ceil(widths.length / columns) - before) * ROW * size };
}

// What stands before a label in the legend, in a rectangle.
function sample(context, entry, box) {
  const [left, top, width, height] = box;
  const middle = top + height / 2;
  context.save();
  if (entry.marker.length) {
    context.fillStyle = entry.color || "transparent";
    stamp(context, entry.marker, left + width / 2, middle, entry.size, entry.edge, entry.width);
  } else if (entry.line) {
    context.setLineDash(entry.dash);
    context.beginPath();
    line(context, left, middle, left + width, middle);
    stroke(context, entry.color, entry.line);
  } else {
    context.beginPath();
    context.rect(...box);
    context.clip();
    context.globalAlpha = entry.opacity;
    context.fillStyle = entry.color;
    context.fill();
    context.globalAlpha = 1;
    if (entry.hatch) {
      striped(context, box, entry.hatch, HATCH_STEP / 2);
      stroke(context, entry.color, 1);
    }
    context.beginPath();
    context.rect(...box);
    if (entry.edge) stroke(context, entry.edge, 2 * entry.width);
  }
  context.restore();
}

function line(context, x0, y0, x1, y1) {
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
}

function write(context, text, x, y, font, align = "center") {
  context.font = `${font} ${FONT}`;
  context.textAlign = align;
  context.textBaseline = "alphabetic";
  context.fillText(text, x, y);
}
