import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { runInBackground, runTask, runTaskAtOnce, type Task } from "../../src/util/tasks.js";
import { rejectionOf } from "../support/refusal.js";

function* countTo(end: number, seen: number[] = []): Task<number> {
  for (let i = 0; i < end; i++) {
    seen.push(i);
    yield;
  }
  return end;
}

/** Each step takes more than a whole slice. */
function* slowly(steps: number, seen: number[]): Task<void> {
  for (let i = 0; i < steps; i++) {
    for (const until = performance.now() + 6; performance.now() < until; );
    seen.push(i);
    yield;
  }
}

function* failing(): Task<void> {
  yield;
  throw new RangeError("from the steps");
}

function* busyFor(milliseconds: number): Task<string> {
  for (const until = performance.now() + milliseconds; performance.now() < until; ) yield;
  return "done";
}

describe("runTask", () => {
  it("gives the result of the steps", async () => {
    expect(await runTask(countTo(100))).toBe(100);
    expect(runTaskAtOnce(countTo(100))).toBe(100);
  });

  it("lets the event loop turn while long work goes on", async () => {
    let turns = 0;
    const counter = setInterval(() => turns++, 1);
    expect(await runTask(busyFor(60))).toBe("done");
    clearInterval(counter);
    expect(turns).toBeGreaterThan(0);
  });

  it("gives short work a slice of its own beside long work, not a step a turn", async () => {
    const seen: number[] = [];
    const long = runTask(slowly(30, seen));
    await runTask(countTo(40));
    // A machine that is busy may make a slice of few steps.
    expect(seen.length).toBeLessThan(20);
    await long;
  });

  it("takes the first step before it returns, in a turn whose slice is not used up", async () => {
    await nextTurn();
    const seen: number[] = [];
    void runTask(countTo(10, seen));
    expect(seen.length).toBeGreaterThan(0);
  });

  it("ends with 499 before the first step when the signal is aborted already", async () => {
    const seen: number[] = [];
    const error = await rejectionOf(runTask(countTo(3, seen), AbortSignal.abort("why")));
    expect(error).toMatchObject({ code: 499, error: "aborted", param: "signal", cause: "why" });
    expect(seen).toEqual([]);
  });

  it("ends with 499 when the signal is aborted in the middle", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort());
    const error = await rejectionOf(runTask(busyFor(10_000), controller.signal));
    expect(error.code).toBe(499);
  });

  it("passes on what the steps throw", async () => {
    await expect(runTask(failing())).rejects.toThrow(RangeError);
  });
});

// Each step of `slowly` takes more than a slice, so it is one turn on every machine.
describe("runInBackground", () => {
  it("gives the result of the steps, and passes on what they throw", async () => {
    expect(await runInBackground(countTo(100))).toBe(100);
    await expect(runInBackground(failing())).rejects.toThrow(RangeError);
  });

  it("takes one turn of eleven while a call goes on, and all of them afterwards", async () => {
    const [behind, call]: [number[], number[]] = [[], []];
    const background = runInBackground(slowly(30, behind));
    await runTask(slowly(40, call));
    expect(call).toHaveLength(40);
    expect(behind.length).toBeLessThanOrEqual(5);
    await background;
    expect(behind).toHaveLength(30);
  });

  it("ends although calls go on without end", async () => {
    let isOver = false;
    const background = runInBackground(slowly(5, [])).then(() => {
      isOver = true;
    });
    while (!isOver) await Promise.all([runTask(slowly(3, [])), runTask(slowly(3, []))]);
    await background;
  });

  it("takes turns as a call does while calls wait for it", async () => {
    const behind: number[] = [];
    const background = runInBackground(slowly(30, behind), undefined, () => true);
    await runTask(slowly(30, []));
    expect(behind.length).toBeGreaterThanOrEqual(25);
    await background;
  });

  it("ends with 499 at its next turn when the signal is aborted", async () => {
    const controller = new AbortController();
    const seen: number[] = [];
    const background = runInBackground(slowly(1000, seen), controller.signal);
    await nextTurn();
    controller.abort();
    expect((await rejectionOf(background)).code).toBe(499);
    expect(seen.length).toBeLessThan(10);
  });
});
