// What the lives on a cluster are judged by finds what is wrong, and nothing else.

import { describe, expect, it } from "vitest";
import type { Outcome } from "../support/cluster-child.js";
import { type Contents, faultOf, type Item, LEDGER, type MadeCall } from "./history.js";

const DONE: Outcome = { ok: null };
const AWAY: Outcome = { refused: { msg: "", code: 503, data: null, error: "cluster_unavailable" } };
const conflict = (...recordIds: string[]): Outcome => ({
  refused: { msg: "", code: 409, data: null, error: "version_conflict", details: { recordIds } },
});

type Made = readonly [began: number, ended: number, verb: string, args: MadeCall["args"], outcome?: Outcome];

const callsOf = (made: readonly Made[]): MadeCall[] =>
  made.map(([began, ended, verb, args, outcome = DONE]) => ({ child: 0, verb, args, began, ended, outcome }));
const items = (...ids: string[]): Item[] => ids.map((id) => ({ id }));
const contents = (indexes: Record<string, readonly Item[]>, settings = {}): Contents => ({
  indexes: new Map(Object.entries(indexes).map(([name, each]) => [name, new Map(each.map((item) => [item.id, item]))])),
  settings,
});
const add = (name: string, ...ids: string[]): ["addRecords", MadeCall["args"]] => ["addRecords", [name, items(...ids)]];

describe("the ledger", () => {
  const counter = (n: number, ...words: string[]): Item => ({ id: "c", n, words });
  const patch = (value: number): MadeCall["args"] => [
    LEDGER,
    [{ id: "c", n: { _operation: "Increment", value }, words: { _operation: "Add", value: `t${value}` } }],
  ];
  const value = (n: number): MadeCall["args"] => [LEDGER, [{ id: "w", n }]];
  const rules = (...names: string[]): MadeCall["args"] => [LEDGER, { rules: names }];
  it.each<[string, boolean, Made[], Item[], object?]>([
    ["keeps what was acknowledged", true, [[0, 1, ...add(LEDGER, "a")]], items("a")],
    ["loses what was acknowledged", false, [[0, 1, ...add(LEDGER, "a")]], []],
    ["has what was refused", false, [[0, 1, ...add(LEDGER, "a"), conflict("a")]], items("a")],
    ["has the part that was not refused", true, [[0, 1, ...add(LEDGER, "a", "b"), conflict("a")]], items("b")],
    ["may have what nobody knows of", true, [[0, 1, ...add(LEDGER, "a", "b"), AWAY]], items("a")],
    ["has what nobody wrote", false, [], items("a")],
    [
      "has the later of two",
      true,
      [
        [0, 1, "addRecords", value(1)],
        [2, 3, "addRecords", value(2)],
      ],
      [{ id: "w", n: 2 }],
    ],
    [
      "has the earlier of two",
      false,
      [
        [0, 1, "addRecords", value(1)],
        [2, 3, "addRecords", value(2)],
      ],
      [{ id: "w", n: 1 }],
    ],
    [
      "has either of two at once",
      true,
      [
        [0, 2, "addRecords", value(1)],
        [1, 3, "addRecords", value(2)],
      ],
      [{ id: "w", n: 1 }],
    ],
    [
      "deletes a group",
      true,
      [
        [0, 1, "addRecords", [LEDGER, [{ id: "a", group: "g" }]]],
        [2, 3, "deleteBy", [LEDGER, { filters: 'group:"g"' }]],
      ],
      [],
    ],
    [
      "deletes no group",
      false,
      [
        [0, 1, "addRecords", [LEDGER, [{ id: "a", group: "g" }]]],
        [2, 3, "deleteBy", [LEDGER, { filters: 'group:"g"' }]],
      ],
      [{ id: "a", group: "g" }],
    ],
    [
      "keeps settings",
      true,
      [
        [0, 1, "updateSettings", rules("a")],
        [2, 3, "updateSettings", rules("b"), AWAY],
      ],
      [],
      { rules: ["a"] },
    ],
    [
      "loses settings",
      false,
      [
        [0, 1, "updateSettings", rules("a")],
        [2, 3, "updateSettings", rules("b")],
      ],
      [],
      { rules: ["a"] },
    ],
  ])("%s", (_what, isRight, made, after, settings = {}) => {
    const fault = faultOf(contents({ [LEDGER]: [] }), callsOf(made), contents({ [LEDGER]: after }, settings));
    expect(fault === undefined, fault).toBe(isRight);
  });

  it.each<[string, boolean, Item]>([
    ["adds up", true, counter(1, "t1")],
    ["adds what nobody knows of", true, counter(3, "t1", "t2")],
    ["adds up without its word", false, counter(3, "t1")],
    ["loses an operation", false, counter(0)],
    ["applies one twice", false, counter(2, "t1", "t1")],
    ["applies what was refused", false, counter(5, "t1", "t4")],
  ])("%s", (_what, isRight, after) => {
    const made: Made[] = [
      [0, 1, "updateRecords", patch(1)],
      [0, 1, "updateRecords", patch(2), AWAY],
      [0, 1, "updateRecords", patch(4), conflict("c")],
    ];
    const fault = faultOf(contents({ [LEDGER]: [counter(0)] }), callsOf(made), contents({ [LEDGER]: [after] }));
    expect(fault === undefined, fault).toBe(isRight);
  });
});

describe("indexes that are renamed", () => {
  const replace = (...ids: string[]): ["replaceAllRecords", MadeCall["args"]] => [
    "replaceAllRecords",
    ["swap", items(...ids)],
  ];
  it.each<[string, boolean, Made[], Record<string, readonly Item[]>]>([
    [
      "have what was added last",
      true,
      [
        [0, 1, ...replace("a")],
        [2, 3, ...add("swap", "b")],
      ],
      { swap: items("a", "b"), side: items("s") },
    ],
    [
      "lose what was added last",
      false,
      [
        [0, 1, ...replace("a")],
        [2, 3, ...add("swap", "b")],
      ],
      { swap: items("a"), side: items("s") },
    ],
    [
      "lose what was replaced",
      true,
      [
        [0, 1, ...add("swap", "b")],
        [2, 3, ...replace("a")],
      ],
      { swap: items("a"), side: items("s") },
    ],
    [
      "keep what was replaced",
      false,
      [
        [0, 1, ...add("swap", "b")],
        [2, 3, ...replace("a")],
      ],
      { swap: items("a", "b"), side: items("s") },
    ],
    [
      "carry over what was added meanwhile",
      true,
      [
        [0, 3, ...replace("a")],
        [1, 2, ...add("swap", "b")],
      ],
      { swap: items("a", "b"), side: items("s") },
    ],
    [
      "move",
      true,
      [
        [0, 1, "moveIndex", ["side", "swap"]],
        [2, 3, ...add("swap", "b")],
      ],
      { swap: items("s", "b") },
    ],
    [
      "write to the old one after a move",
      false,
      [
        [0, 1, "moveIndex", ["side", "swap"]],
        [2, 3, ...add("swap", "b")],
      ],
      { swap: items("s") },
    ],
    ["move a half", false, [[0, 1, "moveIndex", ["side", "swap"]]], { swap: items("s"), side: items("s") }],
    [
      "may have been moved",
      true,
      [
        [0, 1, "moveIndex", ["side", "swap"], AWAY],
        [2, 3, ...add("swap", "b")],
      ],
      { swap: items("s") },
    ],
    ["are deleted", true, [[0, 1, "deleteIndex", ["swap"]]], { side: items("s") }],
    ["are deleted, and stay", false, [[0, 1, "deleteIndex", ["swap"]]], { swap: items("o"), side: items("s") }],
    [
      "are cleared and copied",
      true,
      [
        [0, 1, "clearIndex", ["swap"]],
        [2, 3, "copyIndex", ["swap", "side"]],
      ],
      { swap: [], side: [] },
    ],
    ["are imported", true, [[0, 1, "importIndex", ["swap", ['{"id":"i"}\n']]]], { swap: items("i"), side: items("s") }],
  ])("%s", (_what, isRight, made, after) => {
    const before = contents({ [LEDGER]: [], swap: items("o"), side: items("s") });
    const fault = faultOf(before, callsOf(made), contents({ [LEDGER]: [], ...after }));
    expect(fault === undefined, fault).toBe(isRight);
  });
});
