// SPDX-License-Identifier: MIT
// Shows the screen that the address names, and keeps the browser's history short: one Back leaves a
// screen, and a thread that was not used leaves no entry. Owns the element of the open screen.
import { hashOf, readRoute } from "./route.js";
import { ROUTES } from "./routes.js";

/** @typedef {import("./route.js").Route} Route */

/** @param {Route} route */
const entryOf = (route) => ROUTES.find(({ screen }) => screen === route.screen) ?? ROUTES[0];

/** Loads the screen of an address; a failure is told when it is shown. @param {string} hash */
export async function loadScreen(hash) {
  await entryOf(readRoute(hash))
    .load()
    .catch(() => {});
}

export class Router {
  /** @type {Route} */
  route = readRoute(location.hash);
  #main;
  #given;
  #changed;
  #failed;
  /**
   * @type {{ screen: string, place: HTMLElement, opened: import("./routes.js").Opened } |
   *   undefined}
   */
  #open;
  /** Counts what was asked for: an answer that comes late is dropped. */
  #turn = 0;

  /**
   * @param {{ main: HTMLElement, given: object, changed: (isFirst: boolean) => void, failed:
   *   (place: HTMLElement, error: unknown) => void }} parts `given`: what each screen gets beside
   *   the route; `failed`: says that a screen could not be shown
   */
  constructor({ main, given, changed, failed }) {
    this.#main = main;
    this.#given = given;
    this.#changed = changed;
    this.#failed = failed;
  }

  async start() {
    addEventListener("hashchange", () => {
      // Other hashes are of places in the page.
      if (/^(#\/|$)/.test(location.hash)) this.#show(readRoute(location.hash));
    });
    document.addEventListener("click", (event) => this.#follow(event));
    await this.#show(this.route, true);
  }

  /**
   * @param {string} address
   * @param {HTMLElement} [from] the screen's element that asks
   * @param {boolean} [isGone] what the address now names is not there any more
   */
  go(address, from, isGone = false) {
    // A screen that is being left, or was, leads nowhere.
    const isLeft = this.#open?.place !== from || this.#open?.screen !== this.route.screen;
    if (from !== undefined && isLeft) return;
    const next = readRoute(address);
    const url = hashOf(next);
    if (url === hashOf(this.route)) return;
    const isOwn = from !== undefined && next.screen === this.route.screen;
    if ((isGone || isUnused(this.route)) && next.screen === this.route.screen)
      history.replaceState(null, "", url);
    else history.pushState(null, "", url);
    if (!isOwn) return void this.#show(next);
    this.route = next;
    this.#changed(false);
  }

  /** Takes links to screens, also those in shadow roots. @param {MouseEvent} event */
  #follow(event) {
    const { button, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (event.defaultPrevented || button !== 0 || altKey || ctrlKey || metaKey || shiftKey) return;
    const link = event.composedPath().find((part) => part instanceof HTMLAnchorElement);
    const address = link?.getAttribute("href");
    if (!address?.startsWith("#/") || (link?.target ?? "") !== "") return;
    event.preventDefault();
    this.go(address);
  }

  /** @param {Route} route @param {boolean} [isFirst] */
  async #show(route, isFirst = false) {
    const turn = ++this.#turn;
    this.route = route;
    document.documentElement.dataset.screen = route.screen;
    this.#changed(isFirst);
    if (this.#open?.screen === route.screen && this.#open.opened.show !== undefined)
      return this.#open.opened.show(route);
    const entry = entryOf(route);
    const place = document.createElement("div");
    place.className = `screen ${entry.screen}`;
    this.#main.ariaBusy = "true";
    try {
      const screen = await entry.load();
      if (turn !== this.#turn) return;
      this.#take(place, entry.screen);
      const opened = screen.open(place, this.#contextOf(place));
      this.#open = { screen: entry.screen, place, opened };
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#take(place, entry.screen);
      this.#failed(place, error);
    }
    this.#main.ariaBusy = null;
    if (isFirst) return;
    scrollTo(0, 0);
    if (!place.contains(document.activeElement)) this.#main.focus({ preventScroll: true });
  }

  /**
   * Gives the page to an element, after the screen that had it.
   * @param {HTMLElement} place @param {string} screen
   */
  #take(place, screen) {
    this.#open?.opened.close();
    this.#main.replaceChildren(place);
    this.#open = { screen, place, opened: { close() {} } };
  }

  /** @param {HTMLElement} place */
  #contextOf(place) {
    const router = this;
    return {
      ...this.#given,
      go: (/** @type {string} */ address, /** @type {boolean} */ isGone = false) =>
        router.go(address, place, isGone),
      get route() {
        return router.route;
      },
    };
  }
}

/** Whether an address is of a thread that does not exist yet. @param {Route} route */
function isUnused({ screen, params }) {
  return screen === "work" && params.length < 2;
}
