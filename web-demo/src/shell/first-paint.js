// SPDX-License-Identifier: MIT
// Sets the theme and the screen before anything is painted.
import { readRoute } from "./route.js";
import { readTheme, showTheme } from "./theme.js";

showTheme(readTheme());
document.documentElement.dataset.screen = readRoute(location.hash).screen;
