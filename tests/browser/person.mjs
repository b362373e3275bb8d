// SPDX-License-Identifier: MIT
// Knows: how a person uses the studio in a browser that calls functions in its page (firefox.mjs,
// webkit.mjs). Must not know what a test expects.

/** In the page: what a person sees there and does. */
function hands() {
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  /** Also in shadow roots, the first in the page's order of roots. */
  const all = (selector, root = document) => [
    ...root.querySelectorAll(selector),
    ...[...root.querySelectorAll("*")].flatMap(({ shadowRoot }) =>
      shadowRoot ? all(selector, shadowRoot) : [],
    ),
  ];
  const find = (selector) => all(selector)[0];
  const until = async (look, what = look) => {
    for (const end = Date.now() + 60_000; Date.now() < end; await pause(50)) {
      const seen = await look();
      if (seen) return seen;
    }
    throw new Error(`not seen: ${what}`);
  };
  const see = (selector) => until(() => find(selector), selector);
  const read = (text, selector) =>
    until(() => all(selector).find(({ textContent }) => textContent.includes(text)), text);
  const press = async (name) =>
    (
      await until(
        () => all("button:enabled").find(({ innerText }) => innerText.trim().startsWith(name)),
        `the button ${name}`,
      )
    ).click();
  const write = (field, value) => {
    field.value = value;
    for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
  };
  const goTo = (hash) => void (location.hash = hash);
  /** A key on the timeline, which then stands at a checkpoint. */
  const atMark = async (key, place) => {
    const line = await see(".timeline");
    line.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    await until(() => line.getAttribute("aria-valuenow") === `${place}`);
  };
  /** What the server in the page's worker answers, of the open thread or of another one. */
  const ask = async (path, body, thread = location.hash.split("/")[3]) => {
    const init = body && {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    };
    const { server } = await see("weft-studio");
    return (await server.fetch(`http://weft.local/threads/${thread}${path}`, init)).json();
  };
  /** Opens a screen by its link, and waits for its heading. @returns whether all went well */
  const openScreen = async (screen) => {
    find(`#screens [data-screen="${screen}"]`).click();
    // Some screens draw into a shadow root.
    await until(() => all("h1", find(`.screen.${screen}`) ?? new DocumentFragment())[0], screen);
    return find(".screen > .notice.problem") === undefined;
  };
  /** The workbench of a graph with nothing at work. */
  const openBench = async (graph) => {
    goTo(`#/work/${graph}`);
    await see(`.bench-samples [href="#/work/${graph}"][aria-current]`);
    await until(() => find("weft-studio").thread === "" && find("weft-studio").graph === graph);
    await see('.bench[data-engine="ready"]');
    await see(".bench-stories button:enabled");
  };
  /** Starts a story; its thread is another one than before. */
  const begin = async (story) => {
    const before = location.hash;
    await press(story);
    await until(() => location.hash !== before && location.hash.split("/").length === 4);
  };
  /** Waits until the open thread is no more at work. @returns its state */
  const settled = async () => {
    await until(async () => ["idle", "interrupted", "error"].includes((await ask("")).status));
    return ask("/state");
  };
  /** Approves what waits, when it was in sight. */
  const approve = async () => {
    const button = await until(() => {
      const shown = find('[data-do="approve"]');
      shown?.scrollIntoView({ block: "center" });
      return shown?.disabled === false && shown;
    }, "an approval that works");
    button.click();
  };
  return {
    ...{ all, approve, ask, atMark, begin, find, goTo, openBench, openScreen, pause },
    ...{ press, read, see, settled, until, write },
  };
}

/**
 * Does in the page what a function says.
 * @param {{ call: (source: string, ...words: any[]) => Promise<any> }} page
 * @param {(hands: any, ...words: any[]) => Promise<any>} act it uses nothing of its own file
 * @param {...any} words
 */
export const does = (page, act, ...words) =>
  page.call(`async (...words) => (${act})((${hands})(), ...words)`, ...words);
