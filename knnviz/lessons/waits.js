// JupyterLab empties all cells that it is asked to run: those that wait for the kernel say so.
if (!window.knnvizWaits) {
  const style = document.createElement("style");
  style.textContent = "@media print { details::details-content { content-visibility: visible } } .knnviz-waits::after { content: 'On its way …'; margin-left: 77px; color: var(--jp-ui-font-color1) }";
  document.head.append(style);
  window.knnvizWaits = setInterval(() => {
    document.querySelectorAll(".jp-CodeCell").forEach((cell) => {
      const waits = cell.querySelector(".jp-InputPrompt")?.textContent === "[*]:";
      cell.classList.toggle("knnviz-waits", waits && cell.matches(".jp-mod-noOutputs"));
    });
  }, 250);
}
// Running all cells leaves the reader at the last one: from there the page goes back to the title.
{
  const cells = [...(document.currentScript?.closest(".jp-Notebook")?.querySelectorAll(".jp-Cell") ?? [])];
  const last = cells.at(-1);
  const isThere = last?.matches(".jp-mod-active") && last.getBoundingClientRect().top < innerHeight;
  if (isThere && cells[0].getBoundingClientRect().bottom < 0) cells[0].focus();
}
