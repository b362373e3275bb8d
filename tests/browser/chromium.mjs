// SPDX-License-Identifier: MIT
// How the tests start Chromium.
import { chromium } from "playwright-core";

/** How long a page may take for anything, on a busy machine: what takes longer hangs. */
export const WAIT_MS = 120_000;
export const CHROMIUM = {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  timeout: WAIT_MS,
};

export const launchChromium = () => chromium.launch(CHROMIUM);
/**
 * With a profile on disk.
 * @param {string} profile
 * @param {object} [more] options of Playwright's
 */
export const openProfile = (profile, more) =>
  chromium.launchPersistentContext(profile, { ...CHROMIUM, ...more });
