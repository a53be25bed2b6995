// The theme's folds in the list of pages have no name, nor, for those who hear it, a column whose head is a formula.
document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("summary:has(.toctree-toggle)").forEach((each) => each.setAttribute("aria-label", "pages"));
  document.querySelectorAll("th:has(.math)").forEach((each) => {
    const name = Object.assign(document.createElement("span"), { className: "visually-hidden" });
    name.textContent = each.textContent.replace(/\\[()]/g, "");
    each.append(name);
  });
});
