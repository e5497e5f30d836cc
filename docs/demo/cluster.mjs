// An engine on a cluster of OpenSearch nodes, and the removal of an index that nobody asked to keep there.

import { SearchError } from "tandem-search";
import { OpenSearchEngine } from "tandem-search/opensearch";
import { DemoError } from "./demo-error.mjs";

/**
 * @param {string} url of a node; a user and a password in it are sent as such
 * @param {import("tandem-search").WarningHandler} onWarning
 */
export async function openCluster(url, onWarning) {
  const { node, auth } = readNode(url);
  try {
    return await OpenSearchEngine.open({ nodes: [node], auth, onWarning });
  } catch (error) {
    if (!(error instanceof SearchError)) throw error;
    if (error.error === "cluster_unavailable")
      throw new DemoError(`${node}: no cluster answers there (${reasonOf(error)}); start one, or name another URL.`);
    throw new DemoError(`${node}: ${error.msg}`);
  }
}

/** @param {string} text */
function readNode(text) {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new DemoError(`--opensearch is "${text}"; expected the URL of a node, such as http://127.0.0.1:9200.`);
  const url = new URL(text);
  const [username, password] = [url.username, url.password].map(decodeURIComponent);
  url.username = "";
  url.password = "";
  return { node: url.href.replace(/\/$/, ""), auth: username === "" ? undefined : { username, password } };
}

/** @param {SearchError} error */
function reasonOf({ cause, msg }) {
  // What fetch throws has the reason as its cause.
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (/** @type {Error} */ (cause)?.cause ?? cause ?? {});
  return code ?? message ?? msg;
}

/**
 * Removes an index at the end of a run, whether the run failed or not; one that cannot be removed is named.
 * @param {OpenSearchEngine} engine
 * @param {string} name
 * @param {(text: string) => void} say
 */
export async function removeIndex(engine, name, say) {
  try {
    await engine.deleteIndex(name);
  } catch (error) {
    if (!(error instanceof SearchError)) throw error;
    if (error.error !== "index_not_found") say(`warning: the index ${name} may be left in the cluster: ${error.msg}\n`);
  }
}
