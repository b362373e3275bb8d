// SPDX-License-Identifier: MIT
// Declares the class that custom elements extend, for programs with and without the types of pages.

/** An element of a page; where its types are not there, any object. */
type ElementOfPage = typeof globalThis extends { HTMLElement: { prototype: infer Element } }
  ? Element
  : object;

/** The page's class of elements. */
export declare const PageElement: new () => ElementOfPage;
