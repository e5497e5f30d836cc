// What the demo tells its user in one sentence, without a stack trace: something is wrong with a file, a line or an option.

export class DemoError extends Error {
  name = "DemoError";
}
