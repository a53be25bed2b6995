// Recordings on a page without a kernel: a model that answers the steps of a lab with the frames
// that were recorded.

// How far outside the window, in pixels, a recording begins to load; where recordings are.
const AHEAD = 1200;
const HERE = document.currentScript.src;

async function recorded(sizes, text) {
  const bytes = new Uint8Array(await (await fetch(`data:;base64,${text}`)).arrayBuffer());
  const [first, ...packed] = parts(sizes, bytes);
  const { axes, controls, frames, entries, views } = JSON.parse(
    new TextDecoder().decode(await unpacked(first)),
  );
  const names = Object.keys(axes);
  const buffers = [];
  const unfolded = [];
  const applied = {};
  let at = frames[0];
  let number = 0;
  let receive = () => {};

  // A frame has a place along each axis; a position there is an option, or a text and its number.
  const values = (frame) => entries[frame.state.values];
  const valueOf = (position) => [position].flat().at(-1);
  frames.forEach((frame) => {
    const along = (name) => axes[name].findIndex((each) => valueOf(each) === values(frame)[name]);
    frame.place = names.map(along);
  });

  // Of the frames with some values the one closest to that on show, which stays if there is none.
  function moved(wanted) {
    const far = ({ place }) =>
      place.reduce((sum, index, i) => sum + Math.abs(index - at.place[i]), 0);
    const has = (frame) =>
      Object.entries(wanted).every(([name, value]) => values(frame)[name] === value);
    return frames
      .filter(has)
      .reduce((best, each) => (best && far(best) <= far(each) ? best : each), null) ?? at;
  }

  // Where a slider may go while the others stay, unless it may go nowhere; a menu takes others
  // along.
  function positions(name, axis) {
    const stay = ({ place }) => place.every((index, i) => i === axis || index === at.place[i]);
    const found = new Set(frames.filter(stay).map(({ place }) => place[axis]));
    const isMenu = typeof axes[name][0] === "string";
    const few = found.size > 1 && !isMenu;
    return [name, few ? axes[name].filter((_, index) => found.has(index)) : axes[name]];
  }

  // The frames to which one control leads, the one among them where a mark is nearest to a place,
  // and the layers whose marks it moves.
  const reachable = () =>
    frames.filter(({ place }) => place.filter((each, i) => each !== at.place[i]).length < 2);
  function pulled([panel, x, y, layer, i]) {
    const place = { x, y };
    const far = ({ marks }) => {
      const mark = Object.entries(entries[marks[`layer_${panel}_${layer}`]] ?? { x: [Infinity] });
      return Math.hypot(...mark.map(([axis, values]) => values.at(i) - place[axis]));
    };
    return reachable().reduce((best, each) => (far(each) < far(best) ? each : best), at);
  }
  const movable = () =>
    Object.entries(at.marks)
      .filter(([name, mark]) => reachable().some(({ marks }) => (marks[name] ?? mark) !== mark))
      .map(([name]) => name);

  function take([kind, given, ...others]) {
    if (kind === "move") at = moved(given);
    if (kind === "pick") at = pulled([given, ...others]);
    if (kind === "act") at = given === "Reset" ? frames[0] : moved({ seed: values(at).seed + 1 });
  }

  const known = (numbers) =>
    Object.fromEntries(Object.entries(numbers).map(([name, entry]) => [name, entries[entry]]));

  // The first bytes of a buffer.
  async function view(buffer, size) {
    unfolded[buffer] ??= unpacked(packed[buffer]);
    return (await unfolded[buffer]).subarray(0, size);
  }

  // The frame here, with all of its layers.
  async function frame() {
    const layers = known(at.layers);
    const state = known(at.state);
    const limits = { ...state.limits, ...Object.fromEntries(names.map(positions)) };
    const numbers = arrays(layers).map(({ data }) => data);
    await Promise.all(
      numbers
        .filter((data) => typeof data === "number" && !buffers[data])
        .map(async (data) => (buffers[data] = await view(...views[data]))),
    );
    number += 1;
    return { ...state, limits, layers, number, ask: false, applied, movable: movable() };
  }

  async function send({ page, seq, steps }) {
    if (!steps) return;
    steps.forEach(take);
    applied[page] = seq;
    receive(await frame(), buffers);
  }

  const whole = [{ ...(await frame()), controls }, buffers];
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
