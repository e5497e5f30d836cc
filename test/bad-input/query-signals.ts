// Rows Q46 and Q47: signals and other options of a call.

import { type Refusal, type Row, refusedEach, shown } from "./row.js";
import { rec } from "./world.js";

const ABORTED: Refusal = { code: 499, error: "aborted", param: "signal" };

/** Rows Q46 and Q47. */
export const SIGNALS: readonly Row[] = [
  {
    row: "Q46",
    what: "a signal aborted before",
    run: (world) => world.ask({ query: "drill" }, "shop", { signal: AbortSignal.abort() }),
    expect: ABORTED,
  },
  {
    row: "Q46",
    what: "a signal aborted in the middle",
    run: (world) => {
      world.embedder.answer = () => new Promise(() => {});
      return world.ask({ query: "drill" }, "meant", { signal: AbortSignal.timeout(20) });
    },
    expect: ABORTED,
  },
  {
    row: "Q46",
    what: "addRecords with a signal aborted in the middle",
    run: (world) => {
      const control = new AbortController();
      const done = world.add(
        Array.from({ length: 3000 }, (_, id) => rec({ id: `x${id}` })),
        "shop",
        { signal: control.signal },
      );
      setImmediate(() => control.abort(new Error("enough")));
      return done;
    },
    expect: { ...ABORTED, cause: /enough/ },
  },
  ...refusedEach(
    "Q47",
    "signal",
    shown(null, 5, "abort", {}, { aborted: false }, new AbortController()),
    (world, signal) => world.ask({ query: "drill" }, "shop", { signal }),
    {
      code: 400,
      error: "invalid_signal",
      param: "signal",
    },
  ),
  ...refusedEach(
    "Q47",
    "options",
    shown(null, 5, "x", []),
    (world, options) => world.ask({ query: "drill" }, "shop", options),
    {
      code: 400,
      error: "invalid_options",
      param: "options",
    },
  ),
  {
    row: "Q47",
    what: "a signal whose getter throws",
    run: (world) =>
      world.ask({ query: "drill" }, "shop", {
        signal: {
          get aborted() {
            throw new Error("from the getter");
          },
        },
      }),
    expect: { code: 400, error: "invalid_signal", param: "signal" },
  },
];
