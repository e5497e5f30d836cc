// Group F: filters and clicks, by noun.

import { ANSWERS } from "./filter-answers.js";
import { CLICKS } from "./filter-clicks.js";
import { LAWS } from "./filter-laws.js";
import { OBJECTS } from "./filter-objects.js";
import { SIZES } from "./filter-sizes.js";
import { TEXTS } from "./filter-texts.js";
import { TRICKS } from "./filter-tricks.js";
import { VALUES } from "./filter-values.js";
import { NO_PLACES } from "./no-schema.js";
import type { Row } from "./row.js";

/** Group F. */
export const FILTERS: readonly Row[] = [
  ...TEXTS,
  ...OBJECTS,
  ...TRICKS,
  ...SIZES,
  ...VALUES,
  ...ANSWERS,
  ...LAWS,
  ...CLICKS,
  ...NO_PLACES,
];
