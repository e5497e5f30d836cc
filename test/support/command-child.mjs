// Runs the built command once for each message, a list of arguments, as in a process of its own; answers with its exit code and what it
// printed.

const said = { out: "", err: "" };
for (const [name, stream] of [
  ["out", process.stdout],
  ["err", process.stderr],
]) {
  stream.setMaxListeners(0);
  stream.write = (text) => {
    said[name] += text;
    return true;
  };
}
process.setMaxListeners(0);

let calls = 0;
process.on("message", async (args) => {
  process.argv.splice(2, process.argv.length, ...args);
  await import(`../../dist/command.js?${calls++}`);
  process.send({ code: process.exitCode ?? 0, ...said });
  process.exitCode = undefined;
  Object.assign(said, { out: "", err: "" });
});
