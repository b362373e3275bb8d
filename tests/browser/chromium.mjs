// SPDX-License-Identifier: MIT
// How the tests start Chromium.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

/** How long a page may take for anything, on a busy machine: what takes longer hangs. */
export const WAIT_MS = 120_000;
/** The browser as a person has it, with its settings and its cache of pages that were left. */
export const WHOLE = {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  timeout: WAIT_MS,
};
/**
 * Its engine without windows takes half the processor time, but crashes where a page's policy
 * refuses eval. What runs long drives the whole browser.
 */
const SHELL = "/usr/bin/chromium-headless-shell";
const isShell = !process.env.CHROMIUM && !process.env.WEFT_LONG && existsSync(SHELL);
export const CHROMIUM = isShell ? { ...WHOLE, executablePath: SHELL } : WHOLE;

/** @param {object} [options] of Playwright's */
export const launchChromium = (options = CHROMIUM) => chromium.launch(options);
/**
 * With a profile on disk.
 * @param {string} profile
 * @param {object} [more] options of Playwright's
 */
export const openProfile = (profile, more) =>
  chromium.launchPersistentContext(profile, { ...CHROMIUM, ...more });
