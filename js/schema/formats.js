// SPDX-License-Identifier: MIT
export const standardFormats = {};
