// SPDX-License-Identifier: MIT
// The studio in Firefox and WebKitGTK (A18), one page of each for all: the start, every screen, the
// composer, the inbox, a fork, the plug, limits, recordings, models, and without its server.
// WEFT_LONG adds limits that take longer, and the whole tour without the server. The drivers cannot
// take a page off the network: the server is ended.
import { test } from "node:test";
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startOpenAIServer } from "../js/openai-server.mjs";
import { serveDemo } from "../../web-demo/serve.mjs";
import { ROUTES } from "../../web-demo/src/shell/routes.js";
import { copyDemo } from "./demo-browser.mjs";
import { hasFirefox, launchFirefox } from "./firefox.mjs";
import { looksOf, lostOf } from "./forced-colours.mjs";
import { Keyboard } from "./keyboard.mjs";
import { overflows } from "./overflows.mjs";
import * as acts from "./person-acts.mjs";
import { does } from "./person.mjs";
import { hasWebkit, launchWebkit } from "./webkit.mjs";

const KEY = "sk-secret/of+this-tab";
/** Of a small phone, a phone, a tablet and a desktop, in px. */
const WIDTHS = [320, 390, 768, 1440];
/** MiniBrowser's window is never narrower, not even without bars. */
const LEAST_OF_WEBKIT = 334;
const SCREENS = ROUTES.map(({ screen }) => screen);
const long = { skip: process.env.WEFT_LONG ? false : "make check-long" };
const research = { graph: "research", story: "Read up on tea" };
const team = { graph: "team", story: "A trip to Lisbon" };

/**
 * Opens the studio in a browser of its own.
 * @param {(profile: string) => Promise<any>} launch
 */
async function openIn(t, launch) {
  const folder = await mkdtemp(join(tmpdir(), "weft-browsers-"));
  const server = await serveDemo({ folder: await copyDemo(join(folder, "dist")), port: 0 });
  const profile = join(folder, "profile");
  await mkdir(profile);
  const browser = await launch(profile);
  t.after(async () => {
    await browser.close();
    await server.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const page = await browser.openPage(server.url, { hasBars: false });
  return { server, page };
}

/** @param {(profile: string) => Promise<any>} launch */
async function check(t, launch) {
  const { server, page } = await openIn(t, launch);
  let waiting = "";
  await t.test("the start measures, the composer grows, every screen opens", async () => {
    const { figures, theme, opened, thread } = await does(page, acts.lookAround, SCREENS);
    assert.match(figures, /Engine start\s*\d.*1,000 steps.*\d.*Requests sent\s*0/s);
    assert.equal(theme, "dark");
    assert.deepEqual(opened, SCREENS);
    waiting = thread;
  });

  await t.test("what the inbox shows can be approved when nothing covers it", async () => {
    const { isCovered, ran, focus } = await does(page, acts.decideInInbox, waiting);
    assert.ok(isCovered);
    assert.deepEqual(ran, ["3 x teapots"]);
    assert.notEqual(focus, "body");
  });

  await t.test("a fork leaves the old branch as it was, also after a reload", async () => {
    const { before, kept, count, digests } = await does(page, acts.fork);
    assert.equal(kept, before);
    assert.notEqual(digests[0], digests[1]);
    await page.reload();
    assert.deepEqual(await does(page, acts.lanes, count), ["0", "1"]);
  });

  await t.test("a page of the service worker goes on after its plug was pulled", async () => {
    const { report, answer } = await does(page, acts.pullThePlug);
    // A slow machine may have seen the search at work when the run was over already.
    assert.match(
      report,
      /^0 lost, 0 run twice(, resumed at search|\. The run had come to its end)/,
    );
    assert.equal(answer, "20 sources were read");
  });

  for (const [label, value, name, where, options] of [
    ["Steps", "2", "2 steps", research, {}],
    ["Deadline in seconds", "0.5", "0.5 seconds", research, long],
    ["Tokens", "60", "60 tokens", team, long],
    ["Cost in $", "0.0005", "$0.0005", team, long],
  ])
    await t.test(
      `the limit "${label}" stops a run, which goes on from there`,
      options,
      async () => {
        const seen = await does(page, acts.limit, { label, value, ...where });
        assert.equal(seen.said, `Stopped by the limit of ${name}`);
        assert.equal(seen.kept, seen.before);
        assert.equal(seen.parent, seen.stopped);
        assert.deepEqual(seen.next, []);
      },
    );

  await t.test(
    "a model service is tested and answers; its key stays in the tab",
    long,
    async () => {
      const service = await startOpenAIServer({
        script: [
          { tool_calls: [{ id: "c", name: "ping", args: { word: "hello" } }] },
          "Good day from the service.",
        ],
      });
      try {
        const seen = await does(page, acts.useService, { url: service.url, key: KEY });
        assert.deepEqual([seen.isKeyTold, seen.isKeyKept], [false, true]);
        const keys = service.requests.map(({ headers }) => headers.authorization);
        assert.deepEqual(keys, [`Bearer ${KEY}`, `Bearer ${KEY}`]);
      } finally {
        await service.close();
      }
    },
  );

  let saved = { text: "", marks: 0 };
  await t.test("a run is saved as a file", async () => {
    saved = await does(page, acts.saveRun);
    assert.ok(saved.marks > 3 && saved.text.includes("Lisbon"));
  });

  await server.close();

  await t.test("without its server it opens, runs, asks and is answered", async () => {
    await assert.rejects(fetch(server.url));
    await does(page, async ({ goTo }) => goTo("#/"));
    await page.reload();
    assert.deepEqual(await does(page, acts.workAlone, SCREENS), SCREENS);
  });

  await t.test("without its server the file is played, and a changed one refused", async () => {
    const { text, marks } = saved;
    const { verdict, steps } = await does(page, acts.dropFile, text, marks);
    assert.equal(verdict, "same");
    assert.deepEqual(steps, ["desk", "timetable", "writer"]);
    await page.reload();
    const at = text.indexOf("Lisbon", text.length / 2);
    const changed = `${text.slice(0, at)}l${text.slice(at + 1)}`;
    const other = await does(page, acts.dropFile, changed, 0);
    assert.match(other.verdict, /The first difference is at characters \d+ to \d+/);
  });

  await t.test("without its server the whole tour goes", long, async () => {
    assert.equal(await does(page, acts.followTour), 2);
  });
}

/**
 * What changes the page's size or moves its focus: not before what others look at.
 * @param {(profile: string) => Promise<any>} launch
 * @param {number} [least] width of its window
 */
async function checkKeysAndWidths(t, launch, least = 0) {
  const { page } = await openIn(t, launch);

  await t.test("a call is approved by keyboard alone, and the focus is never lost", async () => {
    await does(page, async ({ goTo, see }) => {
      goTo("#/");
      await see(".samples a");
    });
    const keys = new Keyboard({
      press: (key) => page.press(key),
      does: (act, word) => page.call(`async (word) => (${act})(word)`, word),
    });
    await keys.press("Tab");
    await keys.watch();
    await keys.use(/^a Order desk/);
    await does(page, ({ find, until }) => until(() => find(".status")?.textContent === "ready"));
    await keys.to(/^textarea/);
    for (const key of "order 4 teapots") await page.press(key);
    await keys.press("Enter");
    await keys.until(/^h3 Order 4 × teapots/);
    await does(page, ({ see }) => see('[data-do="approve"]:enabled'));
    await keys.use(/^button Approve$/);
    const ran = await does(page, async ({ read, settled }) => {
      await read("The order is placed", ".talk .prose");
      const { values } = await settled();
      return values.messages.filter(({ type }) => type === "tool").map(({ content }) => content);
    });
    assert.deepEqual(ran, ["4 x teapots"]);
    assert.notEqual(await keys.focused(), "lost");
    assert.deepEqual(await keys.lost(), []);
  });

  const widths = WIDTHS.map((width) => Math.max(width, least));
  await t.test(`no screen is wider than the page, at ${widths.join(", ")} px`, async () => {
    const wrong = [];
    for (const width of widths) {
      await page.resize(width, 800);
      await does(page, acts.hasWidth, width);
      for (const screen of SCREENS) {
        await does(page, acts.showScreen, screen);
        for (const what of await page.call(`${overflows}`))
          wrong.push(`${screen} ${width}: ${what}`);
      }
    }
    assert.deepEqual(wrong, []);
  });
}

test("in Firefox", { skip: !hasFirefox && "no Firefox on this machine" }, (t) =>
  check(t, launchFirefox),
);

/** Runs in the page: waits until nothing is drawn any more, for half a second. */
async function drawn() {
  const count = (root) =>
    [...root.querySelectorAll("*")].reduce(
      (sum, { shadowRoot }) => sum + 1 + (shadowRoot ? count(shadowRoot) : 0),
      0,
    );
  for (let before = -1, now = count(document); now !== before; now = count(document)) {
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/**
 * What the states of every screen look like, and of a call that waits.
 * @param {string} url
 * @param {string} folder
 * @param {boolean} isForced Firefox gives every page the system's colours
 */
async function looksInFirefox(url, folder, isForced) {
  const profile = join(folder, `forced-${isForced}`);
  await mkdir(profile);
  if (isForced)
    await writeFile(
      join(profile, "user.js"),
      'user_pref("browser.display.document_color_use", 2);\n',
    );
  const browser = await launchFirefox(profile);
  try {
    const page = await browser.openPage(url);
    const active = "async () => matchMedia('(forced-colors: active)').matches";
    assert.equal(await page.call(active), isForced);
    await does(page, acts.lookAround, SCREENS);
    const looks = {};
    for (const screen of SCREENS) {
      await does(page, acts.showScreen, screen);
      await page.call(`${drawn}`);
      for (const [key, look] of Object.entries(
        await page.call(`async (isForced) => (${looksOf})(isForced)`, isForced),
      ))
        looks[`${screen}: ${key}`] = look;
    }
    return looks;
  } finally {
    await browser.close();
  }
}

test("in Firefox no state is told by a background alone where the system sets the colours", {
  skip: !hasFirefox && "no Firefox on this machine",
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "weft-colours-"));
  const server = await serveDemo({ folder: await copyDemo(join(folder, "dist")), port: 0 });
  t.after(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const own = await looksInFirefox(server.url, folder, false);
  const forced = await looksInFirefox(server.url, folder, true);
  // Where nothing is told, all these states are lost.
  assert.ok(lostOf(own, {}).length > 20);
  assert.deepEqual(Object.keys(forced), Object.keys(own));
  assert.deepEqual(lostOf(own, forced), []);
});

test("in WebKitGTK", { skip: !hasWebkit && "no WebKitGTK on this machine" }, (t) =>
  check(t, launchWebkit),
);

test(
  "in Firefox, by keyboard and by width",
  {
    skip: !hasFirefox && "no Firefox on this machine",
  },
  (t) => checkKeysAndWidths(t, launchFirefox),
);

test(
  "in WebKitGTK, by keyboard and by width",
  {
    skip: !hasWebkit && "no WebKitGTK on this machine",
  },
  (t) => checkKeysAndWidths(t, launchWebkit, LEAST_OF_WEBKIT),
);
