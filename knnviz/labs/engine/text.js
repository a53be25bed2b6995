// Text beside a picture: *emphasis*, and words that look like what they name in the picture, by the
// label of a layer: {label} or {label|other words}.
const MARKED = /([^*{]*)(?:\*(.+?)\*|\{(?:([^{}]*)\|)?([^{}|]*)\}|$)/g;

const plain = (text) => text.replace(MARKED, "$1$2$4");

// Plain text as long as with all swatches.
const spaced = (text) => plain(text.replaceAll("{", `${"\u00a0".repeat(5)}{`));

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

// The style of words for an entry of a legend: its line below them, dash by dash, in a color that is
// dark enough to read, or else a swatch of 16 pixels before them; both drawn three times as fine.
function look(entry) {
  const { color, line, dash } = entry;
  const [wide, high] = line ? [dash.reduce((sum, each) => sum + each, 0) || 9, line] : [16, 16];
  const dark = `${color}; color: oklch(from ${color} min(l, 0.52) c h)`;
  const context = element("canvas", { width: 3 * wide, height: 3 * high }).getContext("2d");
  context.scale(3, 3);
  sample(context, entry, line ? [0, 0, wide, high] : [0, 3, 16, 10]);
  const image = `url(${context.canvas.toDataURL()}) left`;
  if (line) return `color: ${dark}; background: ${image} bottom / ${wide}px ${high}px repeat-x`;
  return `color: ${INK}; padding-left: 1.3em; background: ${image} / 1.1em no-repeat`;
}
