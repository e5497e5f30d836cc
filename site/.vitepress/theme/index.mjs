// The default theme with a search box of our own.

import DefaultTheme from "vitepress/theme";
import { h } from "vue";
import SearchBox from "./SearchBox.vue";
import "./style.css";

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, undefined, { "nav-bar-content-before": () => h(SearchBox) }),
};
