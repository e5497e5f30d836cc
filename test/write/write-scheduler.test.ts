import { describe, expect, it } from "vitest";
import { SearchError } from "../../src/util/errors.js";
import { WriteScheduler } from "../../src/write/write-scheduler.js";
import { rejectionOf } from "../support/refusal.js";

const GONE = new SearchError(404, "index_not_found", "The index is gone.");

/** Writers that note what they do; `hold` keeps one at work until it is let go. */
function line() {
  const done: string[] = [];
  const scheduler = new WriteScheduler(async () => void done.push("tidy"));
  const write = (name: string, signal?: AbortSignal) =>
    scheduler.write(name, signal, async (batch) => done.push(batch));
  const hold = () => {
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    return { letGo, working: scheduler.write("held", undefined, async (batch) => held.then(() => done.push(batch))) };
  };
  return { done, scheduler, write, hold };
}

describe("the line of writers", () => {
  it("serves calls in their order, and tidies after each", async () => {
    const { done, write, scheduler } = line();
    await Promise.all([write("a"), write("b")]);
    await scheduler.idle();
    expect(done).toEqual(["a", "b", "tidy", "tidy"].sort((a, b) => done.indexOf(a) - done.indexOf(b)));
    expect(done.indexOf("a")).toBeLessThan(done.indexOf("b"));
  });

  it("goes on after a writer that fails, in reading or at work", async () => {
    const { done, write, scheduler } = line();
    const reading = Promise.reject(new SearchError(400, "x", "unreadable"));
    const unread = scheduler.write(reading, undefined, async () => done.push("never"));
    const failing = scheduler.write("", undefined, async () => {
      throw new SearchError(502, "y", "failed");
    });
    const after = write("after");
    expect([(await rejectionOf(unread)).code, (await rejectionOf(failing)).code, await after]).toMatchObject([
      400,
      502,
      {},
    ]);
    expect(done).not.toContain("never");
  });

  it("lets one that waits go at once when its signal says so", async () => {
    const { done, write, hold } = line();
    const { letGo, working } = hold();
    const controller = new AbortController();
    const waiting = write("waiting", controller.signal);
    controller.abort();
    expect((await rejectionOf(waiting)).code).toBe(499);
    letGo();
    await working;
    await write("last");
    expect(done.filter((name) => name !== "tidy")).toEqual(["held", "last"]);
  });

  it("ends for all with the reason, those that wait and those to come", async () => {
    const { write, hold, scheduler } = line();
    const { letGo, working } = hold();
    const waiting = write("waiting");
    scheduler.end(GONE);
    expect([await rejectionOf(working), await rejectionOf(waiting)]).toEqual([GONE, GONE]);
    expect(await rejectionOf(write("late"))).toBe(GONE);
    letGo();
    await scheduler.idle();
    expect(scheduler.stop.aborted).toBe(true);
  });
});
