// The tables that the bench prints, in Markdown.

const MEASURES = ["ndcg", "recall", "mrr", "precision", "judged", "condensedNdcg"];

/** Three decimals, without the leading zero. */
export function short(value) {
  return value.toFixed(3).replace(/^(-?)0\./, "$1.");
}

/** A difference with its interval, and a mark if it excludes 0. */
export function showInterval({ difference, low, high, significant }) {
  const signed = `${difference >= 0 ? "+" : ""}${short(difference)}`;
  return `${signed}${significant ? "*" : ""} [${short(low)}, ${short(high)}]`;
}

/** @param {{ label: string, run: object, differences?: object }[]} lines */
export function printRuns(lines, { k, recallAt }) {
  const heads = [`nDCG@${k}`, `recall@${recallAt}`, "MRR", `P@${k}`, `judged@${k}`, `condensed nDCG@${k}`];
  console.log(`\n| | ${heads.join(" | ")} |\n|---|${heads.map(() => "---|").join("")}`);
  for (const { label, run } of lines)
    console.log(`| ${label} | ${MEASURES.map((name) => short(run.means[name])).join(" | ")} |`);
}

/** @param {{ label: string, differences?: object }[]} lines */
export function printDifferences(lines, title, { k, recallAt }) {
  console.log(`\n${title}\n\n| | nDCG@${k} | recall@${recallAt} | condensed nDCG@${k} |\n|---|---|---|---|`);
  for (const { label, differences } of lines)
    if (differences !== undefined) {
      const cells = ["ndcg", "recall", "condensedNdcg"].map((name) => showInterval(differences[name]));
      console.log(`| ${label} | ${cells.join(" | ")} |`);
    }
}
