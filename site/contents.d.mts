export const ROOT: string;
/** What programs import, and the page of each in `api`. */
export const ENTRIES: readonly { readonly name: string; readonly file: string }[];
/** The fragment of a heading, as GitHub makes it, so that the same links lead somewhere there and on the site. */
export function slugOf(heading: string): string;
/** The sections of docs/README.md. */
export function sections(): readonly {
  readonly title: string;
  readonly entries: readonly {
    readonly pages: readonly { readonly title: string; readonly path: string }[];
    readonly about: string;
  }[];
}[];
