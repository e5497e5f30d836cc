import { describe, expect, it } from "vitest";
import { type Complaint, refusal, SearchError, throwValidationErrors } from "../../src/util/errors.js";
import { thrownBy } from "../support/refusal.js";

const complaint = (i: number): Complaint => ({ error: `invalid_${i}`, param: `p${i}`, msg: `p${i} is wrong.` });

describe("SearchError", () => {
  it("is an Error that carries code, stable name, parameter, details and cause", () => {
    const cause = new TypeError("why");
    const error = new SearchError(502, "embedder_failed", "It failed.", {
      param: "embedder",
      details: { n: 1 },
      cause,
    });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: "SearchError", code: 502, error: "embedder_failed", msg: "It failed." });
    expect([error.param, error.details, error.cause]).toEqual(["embedder", { n: 1 }, cause]);
  });

  it("gives the documented envelope and nothing else", () => {
    const envelope = new SearchError(404, "index_not_found", "None.").toEnvelope();
    expect(JSON.stringify(envelope)).toBe('{"msg":"None.","code":404,"data":null,"error":"index_not_found"}');
  });

  it("has no cause of its own unless one was given, even undefined", () => {
    expect("cause" in new SearchError(400, "x", "y")).toBe(false);
    expect("cause" in new SearchError(400, "x", "y", { cause: undefined })).toBe(true);
  });

  it("keeps messages printable and at most 400 characters", () => {
    const error = new SearchError(400, "x", `é\u0007${"m".repeat(1000)}`);
    expect(error.msg).toHaveLength(400);
    expect(error.msg).toMatch(/^\?\?m+…$/);
    expect(new SearchError(400, "x", "m".repeat(400)).msg).toBe("m".repeat(400));
    expect(new SearchError(400, "x", "m".repeat(401)).msg).toBe(`${"m".repeat(399)}…`);
    expect(new SearchError(400, "x", " ~…\u007f\u001f").msg).toBe(" ~…??");
  });
});

describe("refuse", () => {
  it("does nothing without complaints", () => {
    expect(throwValidationErrors([])).toBeUndefined();
  });

  it("reports all complaints together under the first one's name", () => {
    const error = thrownBy(() => throwValidationErrors([complaint(1), complaint(2)], 413));
    expect(error).toMatchObject({ code: 413, error: "invalid_1", param: "p1", msg: "p1 is wrong. p2 is wrong." });
    expect(error.details).toEqual({ complaints: [complaint(1), complaint(2)], total: 2 });
    expect("cause" in error).toBe(false);
  });

  it("shows ten complaints and counts the others", () => {
    const many = Array.from({ length: 12 }, (_, i) => complaint(i));
    const error = thrownBy(() => throwValidationErrors(many, 400, "why"));
    expect(error.details).toEqual({ complaints: many.slice(0, 10), total: 12 });
    expect(error.msg).toContain("(12 complaints in all)");
    expect(error.cause).toBe("why");
  });

  it("counts none where ten are shown, and refuses with 400 where nothing else is said", () => {
    const ten = Array.from({ length: 10 }, (_, i) => complaint(i));
    const error = thrownBy(() => throwValidationErrors(ten));
    expect([error.code, error.msg]).toEqual([400, ten.map(({ msg }) => msg).join(" ")]);
    const msg = `${ten.map((each) => each.msg).join(" ")} (11 complaints in all)`;
    expect(thrownBy(() => throwValidationErrors([...ten, complaint(10)])).msg).toBe(msg);
  });

  it("tells the details of the first", () => {
    const error = thrownBy(() => throwValidationErrors([{ ...complaint(1), details: { start: 3 } }, complaint(2)]));
    expect(error.details).toMatchObject({ start: 3, total: 2 });
  });

  it("makes one error of one complaint", () => {
    expect(refusal("invalid_node", "node", "Bad.")).toMatchObject({ code: 400, error: "invalid_node", param: "node" });
    expect(refusal("full", "node", "Bad.", 507).code).toBe(507);
  });
});
