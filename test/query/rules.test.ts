import { expect, it } from "vitest";
import { readParams } from "../../src/input/read-params.js";
import { copySettings } from "../../src/input/read-settings.js";
import { hiddenByRules } from "../../src/query/read/apply-rules.js";
import type { Rule, RuleCondition } from "../../src/settings/settings.js";
import { DEFAULT_LIMITS } from "../../src/util/limits.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { settingsFrom } from "../support/states.js";

it("who asks for no words gets what rules of blank queries hide", () => {
  const hiding = (id: string, conditions: RuleCondition[]): Rule => ({ id, conditions, consequence: { hide: [id] } });
  const rules = [
    hiding("a", [{ pattern: "" }]),
    hiding("b", [{ pattern: "drill" }]),
    hiding("c", [{ context: "tv" }]),
    hiding("d", [{ pattern: "", filters: { brand: "Hem" } }]),
    { id: "e", consequence: { promote: [{ id: "a", position: 0 }], hide: ["nobody"] } },
  ];
  const settings = settingsFrom(runTaskAtOnce(copySettings({ rules })));
  const context = { limits: DEFAULT_LIMITS, strict: true, warn: () => {}, dimensions: 0 };
  const hidden = (more: object): string[] => {
    const params = readParams({ query: "drill", ...more }, context);
    return runTaskAtOnce(hiddenByRules(params, { settings })).flat();
  };
  expect(hidden({})).toEqual(["a", "nobody"]);
  expect(hidden({ ruleContexts: ["tv"] })).toEqual(["a", "c", "nobody"]);
  expect(hidden({ filters: "brand:Hem" })).toEqual(["a", "d", "nobody"]);
  expect(hidden({ ruleContexts: ["tv"], enableRules: false })).toEqual([]);
});
