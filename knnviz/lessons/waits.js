// JupyterLab empties all cells that it is asked to run: those that wait for the kernel say so.
if (!window.knnvizWaits) {
  const style = document.createElement("style");
  style.textContent = ".knnviz-waits::after { content: 'On its way …'; margin-left: 77px; color: var(--jp-ui-font-color1) }";
  document.head.append(style);
  window.knnvizWaits = setInterval(() => {
    document.querySelectorAll(".jp-CodeCell").forEach((cell) => {
      const waits = cell.querySelector(".jp-InputPrompt")?.textContent === "[*]:";
      cell.classList.toggle("knnviz-waits", waits && cell.matches(".jp-mod-noOutputs"));
    });
  }, 250);
}
