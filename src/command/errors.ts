// What the command says without a stack.

/** What is wrong with a file, a line or a folder: said without a stack. */
export class CommandError extends Error {}

/** What is wrong with the command line. */
export class UsageError extends Error {}
