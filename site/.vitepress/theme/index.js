// SPDX-License-Identifier: MIT
// The theme: the generator's own without its fonts, with this project's colors and examples that
// run.
import Theme from "vitepress/theme-without-fonts";
import { useData } from "vitepress";
import { h, onMounted, watch } from "vue";
import HeroGraph from "./HeroGraph.vue";
import RunExample from "./RunExample.vue";
import "./style.css";

export default {
  extends: Theme,
  Layout: {
    setup() {
      const { page, frontmatter } = useData();
      // The start page and the one for dead links have no main landmark of their own.
      const mark = () => {
        const isAlone = frontmatter.value.layout === "home" || page.value.isNotFound;
        const content = document.getElementById("VPContent");
        if (isAlone) content?.setAttribute("role", "main");
        else content?.removeAttribute("role");
      };
      onMounted(mark);
      watch(page, mark, { flush: "post" });
      return () => h(Theme.Layout, null, { "home-hero-image": () => h(HeroGraph) });
    },
  },
  /** @param {{ app: import("vue").App }} context */
  enhanceApp({ app }) {
    app.component("RunExample", RunExample);
  },
};
