// `npm publish` runs this first (prepublishOnly): says what only the owner can fill in and has not yet, and refuses to go on. RELEASING.md
// explains each. `node scripts/check-release.mjs FOLDER` looks at another folder.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url));
const read = (name) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : "");
const manifest = JSON.parse(read("package.json"));

/** What stands in a page where a name or address is missing. */
const OPEN = "(not yet named)";

const open = [
  ...["repository", "homepage", "bugs", "author"]
    .filter((name) => !manifest[name])
    .map((name) => `package.json has no "${name}"`),
  ...["SECURITY.md", "CODE_OF_CONDUCT.md"]
    .filter((name) => read(name) === "" || read(name).includes(OPEN))
    .map((name) => `${name} names no contact`),
  ...(read("CHANGELOG.md").includes(`\n## ${manifest.version}`)
    ? []
    : [`CHANGELOG.md has no "## ${manifest.version}"`]),
];

if (open.length > 0) {
  console.error(
    `Nothing is published while this is open (see RELEASING.md):\n${open.map((one) => `- ${one}`).join("\n")}`,
  );
  process.exitCode = 1;
}
