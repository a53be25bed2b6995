// A button that saves what the kernel hands over when it is pressed.

function render({ model, el }) {
  const button = document.createElement("button");
  Object.assign(button, {
    type: "button",
    className: "knnviz-card",
    textContent: "Download my answers",
  });
  button.dataset.lmSuppressShortcuts = "true";
  button.addEventListener("click", () => model.send({}));
  function save(text) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = "my-answers.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
  function died() {
    button.disabled = true;
    button.textContent =
      "The kernel behind this button is gone: run this cell again, or load the page again.";
  }
  model.on("msg:custom", save);
  model.on("comm:close", died);
  model.on("comm_live_update", died);
  el.append(button);
}

export default { render };
