// The settings to take home, as code and as JSON; and how the files were read.

import { useState } from "preact/hooks";
import type { IndexSettings } from "../src/index.js";
import type { ViewProps } from "./app.js";

const MOST_COLUMNS = 100;

/** Gives a text as a file. */
export function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function codeOf(settings: IndexSettings, name: string): string {
  return `import { SearchEngine } from "tandem-search";

const engine = await SearchEngine.open({ dataDir: "./search-data" });
const index = await engine.createIndex(${JSON.stringify(name)}, ${JSON.stringify(settings, null, 2)}, { ifExists: "update" });
`;
}

function Copied({ text }: { readonly text: string }) {
  const [told, tell] = useState("");
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => tell("Copied."),
      () => tell("This page may not copy; select the text."),
    );
  return (
    <>
      <button type="button" onClick={copy}>
        Copy
      </button>{" "}
      <span role="status">{told}</span>
    </>
  );
}

export function SettingsView({ catalogue, state }: ViewProps) {
  const settings = { ...catalogue.settings, ...state.draft };
  const json = JSON.stringify(settings, null, 2);
  const code = codeOf(settings, catalogue.name);
  const { report } = catalogue;
  return (
    <div class="settings">
      <h2>Settings of {catalogue.name}</h2>
      {Object.keys(state.draft).length > 0 && <p>With the changes of the view Tune.</p>}
      <h3>As code</h3>
      <textarea readOnly rows={10} aria-label="The settings as code" value={code} />
      <Copied text={code} />
      <h3>As JSON</h3>
      <textarea readOnly rows={10} aria-label="The settings as JSON" value={json} />
      <p class="buttons">
        <Copied text={json} />
        <button type="button" onClick={() => download("settings.json", `${json}\n`)}>
          Save settings.json
        </button>
        <span>
          for <code>npx tandem-search settings set settings.json --data FOLDER</code>
        </span>
      </p>
      {report !== undefined && (
        <>
          <h3>How the file was read</h3>
          <p>
            {report.records.toLocaleString("en")} records from {report.rows.toLocaleString("en")} rows of{" "}
            {report.formats.join(", ")}; their ids are in <b>{report.id}</b>.
            {report.skipped.count > 0 && ` Left out: ${report.skipped.count.toLocaleString("en")} rows.`}
          </p>
          <ul>
            {report.skipped.first.map(({ place, problem }) => (
              <li key={place}>
                {place}: {problem}
              </li>
            ))}
          </ul>
          <table>
            <thead>
              <tr>
                <th scope="col">column</th>
                <th scope="col">taken for</th>
                <th scope="col">filled</th>
                <th scope="col">example</th>
              </tr>
            </thead>
            <tbody>
              {report.columns.slice(0, MOST_COLUMNS).map(({ name, role, filled, example }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{role}</td>
                  <td class="number">{filled} %</td>
                  <td>{example}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {report.columns.length > MOST_COLUMNS && (
            <p>And {(report.columns.length - MOST_COLUMNS).toLocaleString("en")} other columns.</p>
          )}
        </>
      )}
    </div>
  );
}
