// Questions on a page without a kernel: a model that knows what follows each choice; the browser keeps what was said.

function recorded(place) {
  const { key, questions, button, told } = JSON.parse(place.dataset.questions);
  const stored = JSON.parse(localStorage.getItem(`knnviz ${key}`)) ?? questions.map(() => null);
  const known = () => stored.map((said, index) => (said === null ? {} : told[index][said]));
  let tell = () => {};

  // The first choice stays; the last feedback is that after no choice.
  function set(_, { question, choice }) {
    stored[question] ??= choice ?? told[question].length - 1;
    localStorage.setItem(`knnviz ${key}`, JSON.stringify(stored));
  }

  return {
    get: (name) => ({ questions, button, revealed: known() })[name],
    set,
    save_changes: () => tell(),
    on: (kind, act) => kind === "change:revealed" && (tell = act),
  };
}

document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("[data-questions]").forEach((place) => show({ model: recorded(place), el: place }));
});
