// Text beside a picture: *emphasis*, and words that look like what they name in the picture, by the
// label of a layer: {label} or {label|other words}.
const MARKED = /([^*{]*)(?:\*(.+?)\*|\{(?:([^{}]*)\|)?([^{}|]*)\}|$)/g;

const plain = (text) => text.replace(MARKED, "$1$2$4");

function emphasize(parent, text, lab) {
  for (const [, before, name, label, words] of text.matchAll(MARKED)) {
    parent.append(before);
    if (name) element("em", {}, parent, name);
    if (words) element("span", { "data-label": label ?? words }, parent, words);
  }
  dress(parent, lab);
}

// Words look like what is drawn now, and plain without it.
function dress(parent, lab) {
  const panels = lab.state.sheet?.panels ?? [];
  const entries = panels.flatMap(({ legend, unkeyed }) => [...legend, ...unkeyed]);
  parent.querySelectorAll("[data-label]").forEach((words) => {
    const entry = entries.find(({ label }) => label === words.dataset.label);
    if (entry === words.entry) return;
    Object.assign(words, { entry, className: entry ? "knnviz-drawn" : "" });
    words.style.cssText = entry ? look(entry) : "";
  });
}

// The style of words for an entry of a legend: its line below them in a color that is dark enough
// to read, or else a swatch before them, of 16 pixels of the sheet, three times as fine.
function look(entry) {
  const { color, line, dash } = entry;
  const kind = dash.length ? (dash[0] > 3 ? "dashed" : "dotted") : "solid";
  const dark = `${color}; color: oklch(from ${color} min(l, 0.52) c h)`;
  if (line) return `color: ${dark}; text-decoration: underline ${kind} ${line}px ${color}`;
  const context = element("canvas", { width: 48, height: 48 }).getContext("2d");
  context.scale(3, 3);
  sample(context, entry, [0, 3, 16, 10]);
  const image = context.canvas.toDataURL();
  return `color: ${INK}; padding-left: 1.3em; background: url(${image}) left / 1.1em no-repeat`;
}
