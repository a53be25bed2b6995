// Recordings on a page without a kernel: a model that answers the steps of a lab with the frames
// that were recorded.

// How far outside the window, in pixels, a recording begins to load; where recordings are.
const AHEAD = 1200;
const HERE = document.currentScript.src;

async function unpacked(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The parts of a recording, one after the other in a text.
async function parts(sizes, text) {
  const bytes = new Uint8Array(await (await fetch(`data:;base64,${text}`)).arrayBuffer());
  let end = 0;
  return sizes.map((size) => bytes.subarray(end, (end += size)));
}

async function recorded(sizes, text) {
  const [first, ...packed] = await parts(sizes, text);
  const { axes, start, controls, frames, ...known } = JSON.parse(
    new TextDecoder().decode(await unpacked(first)),
  );
  const strides = axes.map((_, i) =>
    axes.slice(i + 1).reduce((size, [, values]) => size * values.length, 1),
  );
  const unfolded = [];
  const buffers = [];
  const applied = {};
  let at = start;
  let number = 0;
  let shown = {};
  let receive = () => {};

  const indices = (place) =>
    axes.map(([, values], i) => Math.floor(place / strides[i]) % values.length);

  // Where several values lead, if they were recorded together.
  function jumped(place, values) {
    const to = axes.map(([name, all], i) =>
      name in values ? all.indexOf(values[name]) : indices(place)[i],
    );
    return to.reduce((sum, index, i) => sum + index * strides[i], 0);
  }

  // Where a move leads; where values do not go together, the closest frame that has the chosen one.
  function moved(place, [name, value]) {
    const axis = axes.findIndex((each) => each[0] === name);
    const to = axes[axis]?.[1].indexOf(value) ?? -1;
    if (to < 0) return place;
    const here = indices(place);
    const next = place + (to - here[axis]) * strides[axis];
    if (frames[next]) return next;
    const far = (other) =>
      indices(other).reduce((sum, index, i) => sum + (i !== axis) * Math.abs(index - here[i]), 0);
    const near = [...frames.keys()].filter((other) => frames[other] && indices(other)[axis] === to);
    return near.reduce((best, other) => (far(other) < far(best) ? other : best), near[0] ?? place);
  }

  function take([kind, given]) {
    const entries = kind === "move" ? Object.entries(given) : [];
    at =
      entries.length > 1 && frames[jumped(at, given)]
        ? jumped(at, given)
        : entries.reduce(moved, at);
    if (kind === "act" && given === "Reset") at = start;
  }

  // The first bytes of a buffer.
  async function view(buffer, size) {
    unfolded[buffer] ??= unpacked(packed[buffer]);
    return (await unfolded[buffer]).subarray(0, size);
  }

  async function unpack(part) {
    if (part === null || typeof part !== "object") return;
    if ("data" in part) buffers[part.data] ??= await view(...known.views[part.data]);
    else await Promise.all(Object.values(part).map(unpack));
  }

  // The frame here, with the layers that have changed.
  async function frame() {
    const { layers, ...state } = frames[at];
    const fresh = Object.entries(layers).filter(([name, layer]) => shown[name] !== layer);
    const copies = Object.fromEntries(
      fresh.map(([name, layer]) => [name, structuredClone(known.layers[layer])]),
    );
    await unpack(copies);
    shown = { ...shown, ...layers };
    const values = Object.entries(state).map(([name, entry]) => [name, known.entries[entry]]);
    return {
      number: (number += 1),
      ask: false,
      applied,
      layers: copies,
      ...Object.fromEntries(values),
    };
  }

  async function send({ page, seq, steps }) {
    if (!steps) return;
    steps.forEach(take);
    applied[page] = seq;
    receive(await frame(), buffers);
    strides.forEach((stride) => [at - stride, at + stride].forEach(ahead));
  }

  // Unpack what the next move may need, while the reader looks.
  function ahead(place) {
    Object.values(frames[place]?.layers ?? {}).forEach((layer) => unpack(known.layers[layer]));
  }

  const whole = { ...(await frame()), controls };
  resolved(whole.layers, buffers);
  return { get: () => whole, on: (kind, act) => kind === "msg:custom" && (receive = act), send };
}

// Put a recording in the place of its picture.
async function take(name, sizes, text) {
  for (const place of document.querySelectorAll(`[data-recording="${name}"]`)) {
    const model = await recorded(sizes, text);
    const { initialize, render } = module();
    initialize({ model });
    place.replaceChildren();
    render({ model, el: place });
  }
}

// A recording in a file of its own loads once the reader comes near.
function near({ isIntersecting, target }, watching) {
  if (!isIntersecting) return;
  watching.unobserve(target);
  element("script", { src: new URL(target.dataset.source, HERE) }, document.head);
}

document.addEventListener("DOMContentLoaded", () => {
  const margin = { rootMargin: `${AHEAD}px 0px` };
  const watching = new IntersectionObserver(
    (seen) => seen.forEach((each) => near(each, watching)),
    margin,
  );
  document.querySelectorAll("[data-source]").forEach((place) => watching.observe(place));
});
