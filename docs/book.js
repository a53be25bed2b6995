// Icons of the theme, as letters.
const ICONS = {
  "angle-left": "‹",
  "angle-right": "›",
  "arrow-up": "↑",
  bars: "☰",
  "chevron-down": "⌄",
  "circle-half-stroke": "◐",
  "magnifying-glass": "⌕",
  moon: "☾",
  sun: "☀",
};

// The first lab of a page with cards moves by itself, to the end of its slider or until somebody
// takes over.
function demonstrate() {
  const stop = () => clearInterval(playing);
  const playing = setInterval(() => {
    const slider = document.querySelector(".knnviz-lab input[type=range]:enabled");
    if (!slider) return;
    slider.valueAsNumber += 1;
    slider.dispatchEvent(new Event("input"));
    if (slider.value === slider.max) stop();
  }, 500);
  ["pointerdown", "keydown"].forEach((kind) => addEventListener(kind, stop));
}

// The theme's folds in the list of pages have no name, nor, for those who hear it, a column whose
// head is a formula.
document.addEventListener("DOMContentLoaded", () => {
  Object.entries(ICONS).forEach(([name, letter]) => {
    document.querySelectorAll(`.fa-${name}`).forEach((each) => (each.dataset.letter = letter));
  });
  document
    .querySelectorAll("summary:has(.toctree-toggle)")
    .forEach((each) => each.setAttribute("aria-label", "pages"));
  document.querySelectorAll("th:has(.math)").forEach((each) => {
    const name = Object.assign(document.createElement("span"), { className: "visually-hidden" });
    name.textContent = each.textContent.replace(/\\[()]/g, "");
    each.append(name);
  });
  const still = matchMedia("(prefers-reduced-motion)").matches;
  if (document.querySelector(".knnviz-cards") && !still) demonstrate();
});
