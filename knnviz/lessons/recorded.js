// Questions on a page without a kernel: models that know what follows each choice; the browser
// keeps what was said.

const tells = [];

function recorded(place) {
  const { questions, buttons, told } = JSON.parse(place.dataset.questions);
  const keys = questions.map(({ name }) => `knnviz ${name}`);
  const known = () => keys.map((key, index) => told[index][localStorage.getItem(key)] ?? {});

  // The first choice stays; the last feedback is that after no choice. An explanation opens with
  // its prediction.
  function send({ question, choice }) {
    if (localStorage.getItem(keys[question]) === null)
      localStorage.setItem(keys[question], choice ?? told[question].length - 1);
    tells.forEach((tell) => tell());
  }

  return {
    get: (name) => ({ questions, buttons, revealed: known() })[name],
    send,
    on: (kind, act) => kind === "change:revealed" && tells.push(act),
  };
}

document.addEventListener("DOMContentLoaded", () => {
  document
    .querySelectorAll("[data-questions]")
    .forEach((place) => show({ model: recorded(place), el: place }));
});
