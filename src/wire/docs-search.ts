/**
 * The search of the documentation, apart because the browser loads it: a passage as the server indexes it, and the options
 * that both sides of the index share.
 */
export interface SearchEntry {
  /** The address of the passage, with its anchor. */
  readonly id: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
  /** Beginning of the text, for the list of results. */
  readonly extract: string;
}

export const SEARCH_OPTIONS = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'extract'],
  searchOptions: {
    boost: { title: 4, page: 2 },
    prefix: true,
    fuzzy: 0.15,
    combineWith: 'AND' as const,
    boostDocument: (id: string) => WEIGHTS.find(([beginning]) => id.startsWith(beginning))?.[1] ?? 1,
  },
};

/** Guides and the reference explain; rules and changes name the same words without an explanation. */
const WEIGHTS: readonly (readonly [string, number])[] = [
  ['/docs/changelog', 0.1],
  ['/docs/contract', 0.3],
];
