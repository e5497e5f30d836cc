// What a date means, by Date's own reading of it: which texts are dates, and their instants.

const ISO =
  /^(?<day>(?:\d{4}|[+-]\d{6})-\d\d-\d\d)(?:T(?<hour>\d\d):\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-](?<offset>\d\d):\d\d))?$/;

/** Milliseconds since 1970; undefined: the value is no ISO date. */
export function instantIn(value: unknown): number | undefined {
  const parts = typeof value === "string" ? ISO.exec(value)?.groups : undefined;
  if (parts === undefined || parts.hour === "24" || Number(parts.offset ?? 0) > 23) return undefined;
  const [day, at] = [Date.parse(parts.day!), Date.parse(value as string)];
  // Date reads the 30th of February as the 1st of March.
  if (Number.isNaN(day) || Number.isNaN(at) || !new Date(day).toISOString().startsWith(parts.day!)) return undefined;
  return at;
}
