// Questions with choices, and explanations. What is told stays in the kernel until the question is
// closed; before that there may be a hint.

function add(tag, parent, text = "") {
  const made = document.createElement(tag);
  made.innerHTML = text;
  // JupyterLab looks for the attribute on the focused element alone.
  made.dataset.lmSuppressShortcuts = "true";
  parent.append(made);
  return made;
}

// Milliseconds after which a choice that has no answer is sent again.
const PATIENCE_WITH_ANSWERS = 4000;

// One question; what it shows once it is closed, and once no answer can come any more. An
// explanation has no choices.
function ask(model, el, index) {
  const asked = model.get("questions")[index];
  const form = add("form", el);
  form.className = "knnviz-card knnviz-question";
  const fields = add("fieldset", form);
  add("legend", fields, `<b>${asked.lead}</b> ${asked.question}`);
  const group = `question-${Math.random()}`;
  const [recording, skipping] = model.get("buttons");
  const radios = (recording ? asked.choices : []).map((choice, value) => {
    const label = add("label", fields);
    const radio = add("input", label);
    Object.assign(radio, { type: "radio", name: group, value });
    add("span", label, choice);
    return radio;
  });
  const buttons = add("div", form);
  const record = add("button", buttons, recording);
  const skip = add("button", buttons, skipping);
  Object.assign(record, { type: "submit", disabled: true, hidden: !recording });
  Object.assign(skip, { type: "button", hidden: !skipping });
  const verdict = add("div", form);
  verdict.setAttribute("role", "status");
  // A screen reader reads out what was asked for here, and not an explanation that opened with a
  // prediction elsewhere.
  Object.assign(verdict, { className: "knnviz-verdict", tabIndex: -1, ariaLive: "off" });

  const paper = add("div", form, model.get("paper")?.[index]);
  Object.assign(paper, { className: "knnviz-paper", hidden: true });

  const waiting = add(
    "p",
    form,
    "The kernel has not answered yet. If it does not, load the page again.",
  );
  waiting.hidden = true;
  let again = 0;
  let shown = "";

  // A choice that has no answer is sent again: the first one counts.
  function say(choice) {
    verdict.ariaLive = "polite";
    clearTimeout(again);
    again = setTimeout(() => {
      waiting.hidden = false;
      if (form.isConnected) say(choice);
    }, PATIENCE_WITH_ANSWERS);
    model.send({ question: index, choice });
  }

  radios.forEach((radio) => radio.addEventListener("change", () => (record.disabled = false)));
  skip.addEventListener("click", () => say(null));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    say(radios.findIndex((radio) => radio.checked));
  });

  // The focus of the keyboard moves from buttons that go to the answer, or on to a second try.
  function rest(open) {
    const stood = form.contains(document.activeElement);
    clearTimeout(again);
    waiting.hidden = true;
    record.disabled = true;
    fields.disabled = !open;
    buttons.hidden = !open;
    const next = radios.find((radio) => open && !radio.disabled);
    if (stood) (next ?? verdict).focus({ preventScroll: true });
  }

  function tell() {
    const { said, told, open = false } = model.get("revealed")[index];
    if (told.join() === shown) return;
    shown = told.join();
    verdict.replaceChildren();
    told.forEach((each) => add("p", verdict, each));
    radios.forEach((radio, value) => {
      const chosen = asked.choices[value] === said;
      Object.assign(radio, { checked: chosen && !open, disabled: chosen && open });
    });
    rest(open);
  }

  // A step of its lab opens an explanation.
  function look() {
    if (!asked.waits || !window.knnvizSteps?.has(asked.name)) return;
    window.removeEventListener("knnviz-step", look);
    model.send({ question: index, step: true });
  }

  function died() {
    if (verdict.querySelector("[role=alert]")) return;
    add(
      "p",
      verdict,
      "The kernel behind this question is gone: run this cell again, or load the page again.",
    ).setAttribute("role", "alert");
    rest(false);
  }

  window.addEventListener("knnviz-step", look);
  return { tell, died, look };
}

function show({ model, el }) {
  const all = model.get("questions").map((_, index) => ask(model, el, index));
  const tell = () => all.forEach((each) => each.tell());
  const died = () => all.forEach((each) => each.died());
  model.on("change:revealed", tell);
  model.on("comm:close", died);
  model.on("comm_live_update", died);
  tell();
  // Saved with the notebook, of a kernel that is gone.
  if (model.get("layout")?.comm_live === false) died();
  else all.forEach((each) => each.look());
}

function render({ model, el }) {
  show({ model, el });
  return standIn(el);
}

// While the live questions are on the page, the saved ones above them need not be.
function standIn(el) {
  let saved = null;
  let asked = 0;
  function look() {
    const output = el.closest(".jp-OutputArea-child");
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
