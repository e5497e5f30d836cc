import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { WriteQueue } from "../../src/util/tasks.js";

describe("WriteQueue", () => {
  it("runs one task at a time, in the order they came", async () => {
    const queue = new WriteQueue();
    const log: string[] = [];
    const task = (name: string, milliseconds: number) => async () => {
      log.push(`${name} begins`);
      await wait(milliseconds);
      log.push(`${name} ends`);
      return name;
    };
    expect(await Promise.all([queue.run(task("a", 15)), queue.run(task("b", 0))])).toEqual(["a", "b"]);
    expect(log).toEqual(["a begins", "a ends", "b begins", "b ends"]);
  });

  it("goes on after a failure, which is its caller's alone", async () => {
    const queue = new WriteQueue();
    const failing = queue.run(async () => {
      throw new RangeError("mine");
    });
    const next = queue.run(async () => "fine");
    await expect(failing).rejects.toThrow("mine");
    expect(await next).toBe("fine");
  });

  it("is idle when tasks that tasks added are done too", async () => {
    const queue = new WriteQueue();
    const log: string[] = [];
    void queue.run(async () => {
      await wait(5);
      void queue.run(async () => void log.push("added by a task"));
    });
    await queue.idle();
    expect(log).toEqual(["added by a task"]);
    await queue.idle();
  });
});
