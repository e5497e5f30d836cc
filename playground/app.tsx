// The page: opens a catalogue, and shows it by the view that its address names.

import { render } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Calls, Catalogue, GivenFile } from "./calls.js";
import { isBeside, type Passed, readBeside, startEngine } from "./engine.js";
import { type Judgements, JudgeView, readJudgements, storeJudgements } from "./judge.js";
import { SearchView } from "./search.js";
import { SettingsView } from "./settings.js";
import { own, type PageState, readState, START, type View, writeState } from "./state.js";
import { TuneView } from "./tune.js";

/** What every view gets. */
export interface ViewProps {
  readonly engine: Calls;
  readonly catalogue: Catalogue;
  readonly state: PageState;
  /** Changes the state; `push`: as a step that "back" takes back. */
  readonly change: (changes: Partial<PageState>, push?: boolean) => void;
  readonly judgements: Judgements;
  readonly judge: (query: string, id: string, relevance: number | undefined) => void;
  readonly fail: (error: unknown) => void;
  readonly pictures: boolean;
  /** Shows the catalogue as it is after its settings changed. */
  readonly reopen: (changed: Catalogue) => void;
}

const VIEWS: readonly (readonly [View, string])[] = [
  ["search", "Search"],
  ["tune", "Tune"],
  ["judge", "Judge"],
  ["settings", "Settings"],
];

function App({ engine, onPassed }: { readonly engine: Calls; readonly onPassed: { hear(passed: Passed): void } }) {
  const [catalogue, setCatalogue] = useState<Catalogue>();
  const [state, setState] = useState(() => readState(location.hash.slice(1)));
  const [passed, setPassed] = useState<Passed>();
  const [error, setError] = useState("");
  const [pictures, setPictures] = useState(false);
  const [judgements, setJudgements] = useState<Judgements>({});
  const shown = useRef(state);

  const fail = useCallback(
    (reason: unknown) => setError(reason instanceof Error ? reason.message : String(reason)),
    [],
  );
  const change = useCallback((changes: Partial<PageState>, push = false) => {
    const next = { ...shown.current, ...changes };
    const address = `#${writeState(next)}`;
    shown.current = next;
    setState(next);
    setError("");
    if (address === location.hash) return;
    if (push) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  }, []);
  const open = useCallback(
    async (files: readonly GivenFile[], keep = false) => {
      setError("");
      setPassed({ title: "reading", done: 0, total: 1, rows: 0 });
      try {
        const opened = await engine.open(files);
        setCatalogue(opened);
        setJudgements(readJudgements(opened.name));
        document.title = `${opened.name} · tandem-search`;
        if (!keep) change(START);
      } catch (reason) {
        fail(reason);
      }
      setPassed(undefined);
    },
    [engine, change, fail],
  );
  const openBeside = useCallback(
    async (name: "snapshot" | "demo", keep: boolean) => {
      setPassed({ title: "loading", done: 0, total: 1, rows: 0 });
      const bytes = await readBeside(name);
      await open([{ name: name === "demo" ? "demo" : document.body.dataset.index!, bytes: bytes! }], keep);
    },
    [open],
  );

  useEffect(() => {
    onPassed.hear = setPassed;
    const back = () => {
      shown.current = readState(location.hash.slice(1));
      setState(shown.current);
    };
    addEventListener("popstate", back);
    if (isBeside("snapshot")) openBeside("snapshot", true).catch(fail);
    return () => removeEventListener("popstate", back);
  }, [onPassed, openBeside, fail]);
  useEffect(() => {
    const over = (event: DragEvent) => event.preventDefault();
    const drop = (event: DragEvent) => {
      event.preventDefault();
      const files = [...(event.dataTransfer?.files ?? [])].map((file) => ({ name: file.name, bytes: file }));
      if (files.length > 0) open(files);
    };
    addEventListener("dragover", over);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("drop", drop);
    };
  }, [open]);
  // Whoever opens a catalogue wants to type.
  const name = catalogue?.name;
  useLayoutEffect(() => {
    if (name !== undefined) document.querySelector<HTMLElement>("[type=search]")?.focus();
  }, [name]);

  const judge = useCallback(
    (query: string, id: string, relevance: number | undefined) => {
      setJudgements((before) => {
        const { [id]: _, ...others } = own(before, query) ?? {};
        const after = { ...before, [query]: relevance === undefined ? others : { ...others, [id]: relevance } };
        if (catalogue !== undefined) storeJudgements(catalogue.name, after);
        return after;
      });
    },
    [catalogue],
  );
  const props = useMemo(
    () => catalogue && { engine, catalogue, state, change, judgements, judge, fail, pictures, reopen: setCatalogue },
    [engine, catalogue, state, change, judgements, judge, fail, pictures],
  );
  const drafted = Object.keys(state.draft).length;

  return (
    <>
      <header>
        <h1>tandem-search</h1>
        {catalogue && (
          <p class="catalogue">
            <b>{catalogue.name}</b> {catalogue.records.toLocaleString("en")} records, by words
            {catalogue.byMeaning ? " and meaning" : ""}
          </p>
        )}
        {catalogue && (
          <nav aria-label="Views">
            {VIEWS.map(([view, name]) => (
              <button
                type="button"
                key={view}
                aria-current={state.view === view ? "page" : undefined}
                onClick={() => change({ view }, true)}
              >
                {name}
                {view === "tune" && drafted > 0 && <span class="badge">{drafted}</span>}
              </button>
            ))}
          </nav>
        )}
        {catalogue && (
          <div class="options">
            <label title="The hosts of the pictures will see that you load them.">
              <input
                type="checkbox"
                checked={pictures}
                onChange={(event) => setPictures(event.currentTarget.checked)}
              />
              Pictures
            </label>
            <FileButton onFiles={open}>Open…</FileButton>
          </div>
        )}
      </header>
      {pictures && (
        <p class="note">Pictures are loaded from the addresses in the records; their hosts see your visit.</p>
      )}
      {error !== "" && (
        <p class="error" role="alert">
          {error}{" "}
          <button type="button" onClick={() => setError("")}>
            Close
          </button>
        </p>
      )}
      {passed !== undefined && <Progress {...passed} />}
      <main>
        {props === undefined
          ? passed === undefined && <Welcome onFiles={open} onDemo={() => openBeside("demo", false)} />
          : VIEW[state.view](props)}
      </main>
    </>
  );
}

const VIEW: Readonly<Record<View, (props: ViewProps) => preact.JSX.Element>> = {
  search: (props) => <SearchView {...props} />,
  tune: (props) => <TuneView {...props} />,
  judge: (props) => <JudgeView {...props} />,
  settings: (props) => <SettingsView {...props} />,
};

function FileButton(props: {
  readonly onFiles: (files: readonly GivenFile[]) => void;
  readonly children: string;
  readonly isPrimary?: boolean;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class={props.isPrimary ? "primary" : ""} onClick={() => input.current?.click()}>
        {props.children}
      </button>
      <input
        ref={input}
        hidden
        type="file"
        multiple
        aria-label="Files of a catalogue"
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])].map((file) => ({ name: file.name, bytes: file }));
          if (files.length > 0) props.onFiles(files);
          currentTarget.value = "";
        }}
      />
    </>
  );
}

function Welcome(props: { readonly onFiles: (files: readonly GivenFile[]) => void; readonly onDemo: () => void }) {
  return (
    <section class="welcome">
      <h2>Search your own products</h2>
      <p>
        Drop a file here: CSV, JSON, JSON Lines or XML, also packed by gzip, or a snapshot. It stays on this machine:
        the page is the search engine, and sends nothing anywhere.
      </p>
      <p class="buttons">
        <FileButton isPrimary onFiles={props.onFiles}>
          Choose a file
        </FileButton>
        {isBeside("demo") && (
          <button type="button" onClick={props.onDemo}>
            Try the demo catalogue
          </button>
        )}
      </p>
    </section>
  );
}

function Progress({ title, done, total, rows }: Passed) {
  return (
    <p class="progress" role="status">
      <progress aria-label={title} {...(done > 0 && { max: total, value: done })} /> {title}
      {rows > 0 && `, ${rows.toLocaleString("en")} rows`}
    </p>
  );
}

const onPassed = { hear(_: Passed): void {} };
const place = document.getElementById("app")!;
startEngine((passed) => onPassed.hear(passed)).then((engine) => {
  place.replaceChildren();
  render(<App engine={engine} onPassed={onPassed} />, place);
});
