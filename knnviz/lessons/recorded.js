// Questions on a page without a kernel: models that know what follows each choice; the browser
// keeps what was said.

const tells = [];

function recorded(place) {
  const { questions, buttons, hints, told, paper } = JSON.parse(place.dataset.questions);

  // What the kernel tells: the last feedback is that after no choice.
  function revealed({ name }, i) {
    const none = told[i].length - 1;
    const { [`knnviz ${name}`]: first, [`knnviz ${name}, then`]: then } = localStorage;
    const hint = hints[i][first ?? none];
    const after = told[i][then || (first ?? none)];
    const open = first === undefined || (then === undefined && hint !== "");
    return open ? { ...after, told: [hint].filter(Boolean), open } : after;
  }

  // The first choice stays. An explanation opens with its prediction, and with a step.
  function send({ question, choice, step }) {
    const key = `knnviz ${questions[question].name}`;
    const again = key in localStorage;
    if (!step) localStorage[key] ??= choice ?? told[question].length - 1;
    if (again || choice == null) localStorage[`${key}, then`] ??= choice ?? "";
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
