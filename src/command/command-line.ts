// The table of commands, and how a command line is read by it.

import { parseArgs } from "node:util";
import { UsageError } from "./errors.js";

/** A flag; one without a `value` is there or not. */
export interface Flag {
  /** What stands for its value in the help. */
  readonly value?: string;
  readonly multiple?: boolean;
  readonly help: string;
}

/** The command line of one command. */
export interface Arguments {
  readonly files: readonly string[];
  /** The value of a flag; undefined: it is not given. */
  text(flag: string): string | undefined;
  all(flag: string): readonly string[];
  /** The flags that the command does not know, which are parameters. */
  readonly parameters: Readonly<Record<string, string>>;
  has(flag: string): boolean;
}

export interface Command {
  readonly name: string;
  /** What follows the name, such as `FILE…`. */
  readonly takes: string;
  readonly summary: string;
  readonly flags: Readonly<Record<string, Flag>>;
  /** Whether all other flags are parameters of the query, by their names. */
  readonly takesParameters?: boolean;
  readonly notes?: string;
  readonly example: string;
  /** Does it. Aborted by the signal, it throws. */
  run(args: Arguments, signal: AbortSignal): Promise<void>;
}

/** What a command line asks for: to run a command, or to print a help. */
export type ParsedCommandLine = { readonly help: string } | { readonly command: Command; readonly args: Arguments };

/** Reads a command line. Throws a UsageError that says what is known. */
export function readCommandLine(commands: readonly Command[], line: readonly string[]): ParsedCommandLine {
  const [name = "--help", ...rest] = line;
  const known = commands.map((command) => command.name).join(", ");
  if (name === "--help" || name === "-h" || name === "help") return { help: helpOfAll(commands) };
  const command = commands.find((one) => one.name === name);
  if (command === undefined) throw new UsageError(`There is no command "${name}"; known are ${known}. See --help.`);
  const flags = { ...command.flags, help: { help: "" } } as Readonly<Record<string, Flag>>;
  const options = Object.entries(flags).map(([flag, { value, multiple = false }]) => {
    const type = value === undefined ? ("boolean" as const) : ("string" as const);
    return [flag, { type, multiple, ...(flag === "help" && { short: "h" }) }] as const;
  });
  const others = command.takesParameters === true ? rest.flatMap((arg) => /^--([^=]+)/.exec(arg)?.[1] ?? []) : [];
  const named = others.filter((flag) => !Object.hasOwn(flags, flag));
  // A parameter without a value is true, as in `--understand`.
  const withValue = (arg: string, i: number) =>
    arg.startsWith("--") && named.includes(arg.slice(2)) && (rest[i + 1] ?? "--").startsWith("--")
      ? `${arg}=true`
      : arg;
  const given = [...options, ...named.map((flag) => [flag, { type: "string" as const, multiple: false }] as const)];
  const { values, positionals: files } = parse(rest.map(withValue), Object.fromEntries(given), command);
  if (values.help) return { help: helpOf(command) };
  const parameters = Object.fromEntries(named.map((flag) => [flag, String(values[flag])]));
  const all = (flag: string) => [values[flag] ?? []].flat().map(String);
  const text = (flag: string) => all(flag).at(-1);
  return { command, args: { files, all, text, parameters, has: (flag) => values[flag] === true } };
}

function parse(args: readonly string[], options: NonNullable<Parameters<typeof parseArgs>[0]>["options"], of: Command) {
  try {
    return parseArgs({ args: [...args], options: options ?? {}, strict: true, allowPositionals: true });
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (!code.startsWith("ERR_PARSE_ARGS_")) throw error;
    // The first sentence says what is wrong; the others explain a convention.
    const [wrong] = message.split(/\.\s|\n/);
    const known = Object.keys(of.flags).map((flag) => `--${flag}`);
    throw new UsageError(`${wrong!.replace(/\.$/, "")}. ${of.name} knows ${known.join(", ")}.`);
  }
}

function helpOfAll(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `Usage: tandem-search COMMAND …\n\n${lines.join("\n")}\n\ntandem-search COMMAND --help says more of each.
Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 130 interrupted.\n`;
}

function helpOf({ name, takes, summary, flags, notes = "", example }: Command): string {
  const heads = Object.entries(flags).map(([flag, { value }]) => `--${flag}${value === undefined ? "" : ` ${value}`}`);
  const width = Math.max(...heads.map((head) => head.length));
  const lines = Object.values(flags).map(({ help }, i) => `  ${heads[i]!.padEnd(width)}  ${help}`);
  const parts = [`Usage: tandem-search ${name} ${takes} [flags]`, summary, lines.join("\n"), notes];
  return `${parts.join("\n\n")}\n\nExample:\n  ${example}\n`;
}
