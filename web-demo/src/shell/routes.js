// SPDX-License-Identifier: MIT
// Lists the screens: their names, drawings (paths of 24 by 24) and modules, which are loaded when
// they are opened. The build writes the navigation from it.

/**
 * @typedef {{ screen: import("./route.js").Screen, title: string, icon: string, load: () =>
 *   Promise<{ open: (main: HTMLElement, context: any) => Opened }> }} Entry
 */
/**
 * A screen that is shown. `show`: another address of the same screen; without it the screen is
 * opened anew.
 * @typedef {{ close: () => void, show?: (route: import("./route.js").Route) => void }} Opened
 */

/** @type {readonly Entry[]} */
export const ROUTES = [
  {
    screen: "start",
    title: "Start",
    icon: "M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z",
    load: () => import("../screens/start/index.js"),
  },
  {
    screen: "work",
    title: "Workbench",
    icon: "M12 4v4M12 8H7a2 2 0 0 0-2 2v2M12 8h5a2 2 0 0 1 2 2v2M3 12h4v4H3zM17 12h4v4h-4zM10 2h4v3h-4zM5 16v2a2 2 0 0 0 2 2h3M10 18h4v4h-4z",
    load: () => import("../screens/workbench/index.js"),
  },
  {
    screen: "inbox",
    title: "Inbox",
    icon: "M4 13l3-8h10l3 8v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1zM4 13h5a3 3 0 0 0 6 0h5",
    load: () => import("../screens/inbox/index.js"),
  },
  {
    screen: "code",
    title: "Code",
    icon: "M8 7l-5 5 5 5M16 7l5 5-5 5M13.500 5l-3 14",
    load: () => import("../screens/code/index.js"),
  },
  {
    screen: "recordings",
    title: "Recordings",
    icon: "M4 12a8 8 0 1 0 16 0 8 8 0 1 0-16 0M10 8.500v7l5.500-3.500z",
    load: () => import("../screens/recordings/index.js"),
  },
  {
    screen: "models",
    title: "Models",
    icon: "M9 3v3M15 3v3M9 18v3M15 18v3M3 9h3M3 15h3M18 9h3M18 15h3M8 6h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2zM10 10h4v4h-4z",
    load: () => import("../screens/models/index.js"),
  },
  {
    screen: "race",
    title: "Race",
    icon: "M5 21V4M5 5c5-3 8 3 14 0v9c-6 3-9-3-14 0",
    load: () => import("../screens/race/index.js"),
  },
];
