// SPDX-License-Identifier: MIT
// Makes the pictures of the studio in docs/pictures: light, dark, and a recording of a visit as an
// animated image. Usage: node tools/demo-pictures.mjs
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import sharp from "sharp";
import { WHOLE } from "../tests/browser/chromium.mjs";
import { buildDemo } from "../web-demo/build.mjs";
import { serveDemo } from "../web-demo/serve.mjs";

const OUT = fileURLToPath(new URL("../docs/pictures/", import.meta.url));
const SIZE = { width: 1280, height: 800 };
/** Width of the recording, in pixels. */
const WIDTH = 960;
/** Time between two looks at the page, in ms. */
const FRAME_MS = 200;
/** How long a visitor looks at a thing before the next act, in ms. */
const LOOK_MS = 2600;
/** How long the recording plays, in ms: the time of a visit, stretched or pressed a little. */
const PLAYED_MS = 30_000;
const MAX_BYTES = 2_000_000;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A visit: an approval, a pulled plug, a fork. */
async function visit(page) {
  const button = (name) => page.getByRole("button", { name }).first().click();
  const look = () => pause(LOOK_MS);
  await look();
  await page.getByRole("link", { name: "Open the workbench" }).first().click();
  await look();
  await button("Order 3 teapots");
  await page.getByRole("button", { name: /^Approve/ }).waitFor();
  await look();
  await button(/^Approve/);
  await page
    .getByText(/The order is placed/)
    .first()
    .waitFor();
  await look();
  await page.getByRole("link", { name: "Research" }).first().click();
  await button("Read up on tea");
  await page.getByText(/of 20/).first().waitFor();
  await pause(500);
  await button("Pull the plug");
  await look();
  await button("Start again");
  await page.getByText("20 sources were read").first().waitFor();
  await look();
  const slider = page.getByRole("slider", { name: "Checkpoints" });
  for (const key of ["Home", "ArrowRight", "ArrowRight"]) {
    await slider.press(key);
    await pause(LOOK_MS / 2);
  }
  await button(/^Fork/);
  await page.locator('weft-studio .mark[data-lane="1"]').first().waitFor();
  await look();
}

/**
 * Looks at the page until the visit is over.
 * @returns {Promise<{ image: Buffer, ms: number }[]>}
 */
async function record(page) {
  const frames = [];
  let isOver = false;
  const visited = visit(page).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const begun = performance.now();
    const image = await page.screenshot({ animations: "allow", caret: "initial" });
    await pause(FRAME_MS - (performance.now() - begun));
    const ms = Math.round(performance.now() - begun);
    const last = frames.at(-1);
    if (last?.image.equals(image)) last.ms += ms;
    else frames.push({ image, ms });
  }
  await visited;
  return frames;
}

/**
 * The same frames, which together play for so long: a slow machine's visit takes longer.
 * @param {{ image: Buffer, ms: number }[]} frames
 * @param {number} total in ms
 */
function fit(frames, total) {
  const taken = frames.reduce((sum, { ms }) => sum + ms, 0);
  return frames.map(({ image, ms }) => ({ image, ms: Math.round((ms * total) / taken) }));
}

async function open(browser, url, colorScheme) {
  const context = await browser.newContext({ viewport: SIZE, colorScheme });
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

const folder = await mkdtemp(join(tmpdir(), "weft-pictures-"));
const server = await serveDemo({ folder: await buildDemo({ out: folder }), port: 0 });
const browser = await chromium.launch(WHOLE);
try {
  for (const scheme of ["light", "dark"]) {
    const page = await open(browser, `${server.url}#/work/orders`, scheme);
    await page.getByRole("button", { name: "Order 3 teapots" }).click();
    await page.locator('weft-studio [data-do="approve"]:enabled').waitFor();
    await pause(LOOK_MS);
    const name = `studio-${scheme}.png`;
    await sharp(await page.screenshot())
      .png({ palette: true })
      .toFile(join(OUT, name));
    console.log(name, (await stat(join(OUT, name))).size);
    await page.context().close();
  }
  const frames = fit(await record(await open(browser, server.url, "light")), PLAYED_MS);
  const small = await Promise.all(
    frames.map(({ image }) => sharp(image).resize(WIDTH).png().toBuffer()),
  );
  const movie = join(OUT, "studio.webp");
  await sharp(small, { join: { animated: true } })
    .webp({ delay: frames.map(({ ms }) => ms), quality: 55, effort: 6, loop: 0 })
    .toFile(movie);
  const { size } = await stat(movie);
  const seconds = frames.reduce((sum, { ms }) => sum + ms, 0) / 1000;
  console.log(`studio.webp ${size} bytes, ${frames.length} pictures, ${seconds.toFixed(1)} s`);
  if (size > MAX_BYTES) throw new Error(`studio.webp has ${size} bytes, more than ${MAX_BYTES}`);
} finally {
  await browser.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
}
