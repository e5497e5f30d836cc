// An error that the demo prints without a stack trace: a problem with a file, a line or an option.

export class DemoError extends Error {
  name = "DemoError";
}
