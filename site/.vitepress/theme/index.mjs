// The default theme with a search box of our own.

import DefaultTheme from "vitepress/theme";
import { h, nextTick, watch } from "vue";
import SearchBox from "./SearchBox.vue";
import "./style.css";

export default {
  extends: DefaultTheme,
  enhanceApp({ router }) {
    if (typeof window === "undefined") return;
    /** Opens the folds around the heading that the address names. */
    const unfold = () => {
      const heading = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      const folds = [];
      for (let fold = heading?.closest("details"); fold; fold = fold.parentElement?.closest("details"))
        folds.push(fold);
      if (folds.every(({ open }) => open)) return;
      for (const fold of folds) fold.open = true;
      heading.scrollIntoView();
    };
    addEventListener("hashchange", unfold);
    document.addEventListener("click", () => setTimeout(unfold, 50));
    watch(
      () => router.route.path,
      () => nextTick(() => setTimeout(unfold, 50)),
      { immediate: true },
    );
  },
  Layout: () => h(DefaultTheme.Layout, undefined, { "nav-bar-content-before": () => h(SearchBox) }),
};
