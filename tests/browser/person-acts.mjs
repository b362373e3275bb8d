// SPDX-License-Identifier: MIT
// What a person does in the studio's screens, for any browser: each function runs in the page by
// the hands of person.mjs, alone, and answers what was seen.

/** The start, the theme, the composer, a request, every screen. */
export async function lookAround(hands, screens) {
  const { all, find, goTo, openScreen, press, see, until, write } = hands;
  await until(() => find(".figures dd") && !find(".figures").textContent.includes("…"));
  const figures = find(".figures dl").textContent;
  await until(() => all(".samples svg").length === 5);
  find("#theme").click();
  find("#theme").click();
  const theme = getComputedStyle(document.body).colorScheme;
  goTo("#/work/orders");
  await see('.node[data-node="agent"]');
  const message = await see(".composer textarea");
  const low = message.offsetHeight;
  write(message, "one\ntwo\nthree\nfour");
  await until(() => message.offsetHeight > low);
  write(message, "");
  await press("Order 3 teapots");
  await see('[data-do="approve"]');
  await until(() => document.title.startsWith("(1) "));
  const thread = location.hash.split("/")[3];
  const opened = [];
  for (const screen of screens) if (await openScreen(screen)) opened.push(screen);
  return { figures, theme, opened, thread };
}

/** Waits until the page is as wide as was asked for. */
export const hasWidth = ({ until }, width) => until(() => innerWidth === width, `${width} px`);

/** Shows a screen, also where its link is folded away. */
export async function showScreen({ all, find, goTo, until }, screen) {
  goTo(`#/${screen}`);
  await until(() => all("h1", find(`.screen.${screen}`) ?? new DocumentFragment())[0], screen);
}

/** A fork at the second checkpoint, which goes its own way. */
export async function fork({ all, ask, atMark, begin, openBench, see, settled, until }) {
  await openBench("orders");
  await begin("Order 3 teapots");
  await see('[data-do="approve"]');
  await settled();
  const before = await ask("/history", { limit: 100 });
  await atMark("Home", 1);
  await atMark("ArrowRight", 2);
  const marks = all(".mark").length;
  (await see('[data-do="fork"]')).click();
  await until(() => all(".mark").length === marks + 1);
  (await see('[data-do="run"][aria-disabled="false"]')).click();
  await until(() => all(".mark").length > marks + 1);
  await see('.node[data-node="tools"][data-state="waiting"]');
  await settled();
  const after = await ask("/history", { limit: 100 });
  const id = ({ checkpoint }) => checkpoint.checkpoint_id;
  const digest = ([{ tasks }]) => tasks[0].interrupts[0].value.digest;
  const old = new Set(before.map(id));
  // The page's next load is the service worker's.
  await until(() => navigator.serviceWorker.controller);
  return {
    before: JSON.stringify(before),
    kept: JSON.stringify(after.filter((state) => old.has(id(state)))),
    count: after.length,
    digests: [digest(before), digest(after)],
  };
}

/** The marks and lanes that are drawn of a thread. */
export async function lanes({ all, until }, count) {
  await until(() => all(".mark").length === count, `${count} marks`);
  return [...new Set(all(".mark").map(({ dataset }) => dataset.lane))].sort();
}

/** The engine is ended in the middle of a run, and started again. */
export async function pullThePlug({ begin, find, openBench, press, see, settled, until }) {
  await openBench("research");
  await begin("Read up on tea");
  await see('.node[data-node="search"][data-state="running"]');
  await press("Pull the plug");
  await see('.bench[data-engine="gone"]');
  await press("Start again");
  const told = () => find(".bench-note h2")?.textContent;
  await until(() => /resumed at|its end/.test(told()), "the report");
  const { values } = await settled();
  return { report: told(), answer: values.answer };
}

/** A limit stops a run, which goes on from the step where it stood. */
export async function limit(hands, { label, value, graph, story }) {
  const { ask, begin, find, openBench, press, see, settled, until, write } = hands;
  await openBench(graph);
  find(".limits").open = true;
  write(await see(`[aria-label="${label}, exactly"]`), value);
  find(".limits").open = false;
  await begin(story);
  const stopped = await see('[aria-label="Stopped by a limit"]');
  const said = stopped.querySelector("h2").textContent;
  let { next } = await settled();
  const before = await ask("/history", { limit: 100 });
  // A limit that counts on may be reached again.
  for (; next.length > 0; { next } = await settled()) {
    const { length } = await ask("/runs");
    await press("Continue");
    await until(async () => (await ask("/runs")).length > length);
  }
  write(find(`[aria-label="${label}, exactly"]`), "");
  const after = await ask("/history", { limit: 100 });
  return {
    said,
    next,
    before: JSON.stringify(before.map(({ checkpoint }) => checkpoint)),
    kept: JSON.stringify(after.slice(-before.length).map(({ checkpoint }) => checkpoint)),
    parent: after.at(-before.length - 1).parent_checkpoint.checkpoint_id,
    stopped: before[0].checkpoint.checkpoint_id,
  };
}

/** @returns the file that the browser would save of a run, and what the thread shows */
export async function saveRun({ all, begin, goTo, openBench, press, see, settled, until }) {
  await openBench("team");
  await begin("A trip to Lisbon");
  await settled();
  await see(".mark[data-kind=done]");
  const marks = all(".mark").length;
  goTo("#/recordings");
  await see('[data-run] [data-do="save"]');
  const files = [];
  const { createObjectURL } = URL;
  const { click } = HTMLAnchorElement.prototype;
  URL.createObjectURL = (blob) => (files.push(blob), createObjectURL(blob));
  HTMLAnchorElement.prototype.click = () => {};
  try {
    await press("Save as a file");
    await until(() => files.length > 0, "a file");
  } finally {
    Object.assign(URL, { createObjectURL });
    HTMLAnchorElement.prototype.click = click;
  }
  return { text: await files[0].text(), marks };
}

/** Drops a file on the screen Recordings. */
export async function dropFile({ all, goTo, see, until }, text, count) {
  goTo("#/recordings");
  const data = new DataTransfer();
  data.items.add(new File([text], "recording.json"));
  const place = await see(".drop");
  place.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
  const shown = await until(() => all("[data-verdict], [role=alert]")[0]);
  const verdict = shown.dataset.verdict ?? shown.textContent;
  if (verdict === "same") await until(() => all(".mark").length === count, `${count} marks`);
  return { verdict, steps: all(".steps li").map(({ innerText }) => innerText) };
}

/** A service is filled in, tested and used, and answers; then the built-in model is used again. */
export async function useService(hands, { url, key }) {
  const { all, find, goTo, openBench, press, read, see, settled, until, write } = hands;
  const choose = async (source) => {
    goTo("#/models");
    (await see(`input[value="${source}"]`)).click();
  };
  await choose("service");
  write(await see("#service"), "other");
  for (const [id, value] of [
    ["url", url],
    ["key", key],
    ["model", "m"],
  ])
    write(find(`#${id}`), value);
  await press("Test");
  const tested = (await read("It answers, and calls tools", "h2, h3")).textContent;
  await press("Use this model");
  await until(() => find('[data-do="use"]').textContent === "In use");
  await openBench("orders");
  write(await see(".composer textarea"), "hello");
  await press("Run");
  await read("Good day from the service.", ".talk .prose");
  await settled();
  const shown = all("body, body *").map(({ textContent }) => textContent);
  const told = JSON.stringify([{ ...localStorage }, location.href, shown]);
  await choose("builtin");
  await press("Use this model");
  return {
    tested,
    isKeyTold: told.includes(key),
    isKeyKept: JSON.stringify({ ...sessionStorage }).includes(key),
  };
}

/** A request of the inbox: it can be approved when it was in sight with nothing on top. */
export async function decideInInbox({ ask, goTo, openBench, pause, read, see, until }, thread) {
  const cover = document.body.appendChild(document.createElement("div"));
  Object.assign(cover.style, { position: "fixed", inset: "0", zIndex: 99, background: "white" });
  goTo("#/inbox");
  const button = await see('[data-do="approve"]');
  await pause(1500);
  const isCovered = button.disabled;
  cover.remove();
  await until(() => !button.disabled);
  button.click();
  await read("Nothing waits", ".lead");
  const focus = document.activeElement.localName;
  await openBench("orders");
  const { values } = await ask("/state", undefined, thread);
  return {
    isCovered,
    ran: values.messages.filter(({ type }) => type === "tool").map(({ content }) => content),
    focus,
  };
}

/** What works without a server: the start, a run, an approval, every screen. */
export async function workAlone({ approve, begin, openBench, openScreen, read, see }, screens) {
  await see('.figures .pulse[data-state="ready"]');
  await openBench("orders");
  await begin("Order 3 teapots");
  await approve();
  await read("The order is placed", ".talk .prose");
  const opened = [];
  for (const screen of screens) if (await openScreen(screen)) opened.push(screen);
  return opened;
}

/** The tour from the start page to its end. */
export async function followTour({ all, approve, goTo, press, read, see, until }) {
  goTo("#/");
  await press("Show me (60 s)");
  await press("Run it");
  await read("It asks before it acts", ".tour *");
  await approve();
  await press("Run, and pull the plug");
  await see('.bench[data-engine="gone"]');
  await press("Start it again");
  await read("0 lost, 0 run twice", ".bench-note h2");
  await press("Fork from an early one");
  await read("All of it ran in this tab", ".tour *");
  await press("Done");
  await until(() => all(".tour").length === 0);
  return new Set(all(".mark").map(({ dataset }) => dataset.lane)).size;
}
