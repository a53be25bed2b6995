// A question with choices. The answer is in the kernel until the reader has spoken.

const LEAD = {
  "as you said": "As you said.",
  "a surprise": "A surprise.",
  "no prediction": "No prediction recorded.",
};

function add(tag, parent, text = "") {
  const made = document.createElement(tag);
  made.innerHTML = text;
  // JupyterLab looks for the attribute on the focused element alone.
  made.dataset.lmSuppressShortcuts = "true";
  parent.append(made);
  return made;
}

function render({ model, el }) {
  const form = add("form", el);
  form.className = "knnviz-card knnviz-question";
  const fields = add("fieldset", form);
  add("legend", fields, `<b>Predict.</b> ${model.get("question")}`);
  const group = `prediction-${Math.random()}`;
  const radios = model.get("choices").map((choice, index) => {
    const label = add("label", fields);
    const radio = add("input", label);
    Object.assign(radio, { type: "radio", name: group, value: index });
    add("span", label, choice);
    return radio;
  });
  const buttons = add("div", form);
  const record = add("button", buttons, "Record my prediction");
  const skip = add("button", buttons, "Show the answer without one");
  Object.assign(record, { type: "submit", disabled: true });
  skip.type = "button";
  const verdict = add("div", form);
  verdict.setAttribute("role", "status");
  Object.assign(verdict, { className: "knnviz-verdict", tabIndex: -1 });

  const say = (choice) => {
    model.set("chosen", { choice });
    model.save_changes();
  };
  radios.forEach((radio) => radio.addEventListener("change", () => (record.disabled = false)));
  skip.addEventListener("click", () => say(null));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    say(radios.findIndex((radio) => radio.checked));
  });

  // The buttons go; whoever stood on one goes on from the answer.
  function close() {
    const stood = form.contains(document.activeElement);
    fields.disabled = true;
    buttons.hidden = true;
    if (stood) verdict.focus({ preventScroll: true });
  }

  function tell() {
    const revealed = model.get("revealed");
    if (!revealed.answer) return;
    radios.forEach((radio, index) => (radio.checked = model.get("choices")[index] === revealed.said));
    const said = revealed.verdict === "a surprise" ? ` You said: ${revealed.said}` : "";
    verdict.innerHTML = `<p>${LEAD[revealed.verdict]}${said}</p><p><b>${revealed.answer}</b></p><p>${revealed.because}</p>`;
    close();
  }

  function died() {
    if (verdict.querySelector("[role=alert]")) return;
    add("p", verdict, "The kernel behind this question is gone: run this cell again.").setAttribute("role", "alert");
    close();
  }

  model.on("change:revealed", tell);
  model.on("comm:close", died);
  model.on("comm_live_update", died);
  tell();
  return standIn(form);
}

// While the live question is on the page, the saved one above it need not be.
function standIn(form) {
  let saved = null, asked = 0;
  function look() {
    const output = form.closest(".jp-OutputArea-child");
    if (!output) return (asked = requestAnimationFrame(look));
    saved = output.previousElementSibling;
    if (saved) saved.style.display = "none";
  }
  queueMicrotask(look);
  return () => {
    cancelAnimationFrame(asked);
    if (saved) saved.style.display = "";
  };
}

export default { render };
