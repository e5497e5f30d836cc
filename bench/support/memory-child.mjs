// One work of the memory bench in a process of its own. Gets its task as a message and answers with one.

import { parts } from "./memory-parts.mjs";
import { churn, indexes, newWords, signals } from "./memory-tasks.mjs";

const WORKS = { parts, churn, newWords, indexes, signals };

process.once("message", async ({ work, ...task }) => {
  const result = await WORKS[work](task);
  process.send(result, () => process.disconnect());
});
