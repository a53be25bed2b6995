// Questions on a page without a kernel: models that know what follows each choice; the browser
// keeps what was said.

const tells = [];

function recorded(place) {
  const { questions, buttons, hints, told, paper } = JSON.parse(place.dataset.questions);
  const kept = (key) => localStorage.getItem(key);
  const keep = (key, value) => kept(key) ?? localStorage.setItem(key, value);
  const keyOf = (question) => `knnviz ${questions[question].name}`;

  // What the kernel tells: the last feedback is that after no choice.
  function revealed(_, question) {
    const none = told[question].length - 1;
    const first = kept(keyOf(question));
    const then = kept(`${keyOf(question)}, then`);
    const hint = hints[question][first ?? none];
    const after = told[question][then || (first ?? none)];
    const open = first === null || (then === null && hint !== "");
    return open ? { ...after, told: [hint].filter(Boolean), open } : after;
  }

  // The first choice stays. An explanation opens with its prediction, and with a step.
  function send({ question, choice, step }) {
    const key = keyOf(question);
    const again = kept(key) !== null;
    if (!step) keep(key, choice ?? told[question].length - 1);
    if (again || choice == null) keep(`${key}, then`, choice ?? "");
    tells.forEach((tell) => tell());
  }

  return {
    get: (name) => ({ questions, buttons, paper, revealed: questions.map(revealed) })[name],
    send,
    on: (kind, act) => kind === "change:revealed" && tells.push(act),
  };
}

document.addEventListener("DOMContentLoaded", () => {
  document
    .querySelectorAll("[data-questions]")
    .forEach((place) => show({ model: recorded(place), el: place }));
});
