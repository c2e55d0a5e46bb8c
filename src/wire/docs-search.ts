/** What the search of the documentation knows of a passage; the server builds the index and the browser asks it. */
export interface SearchEntry {
  /** Its address, with the anchor. */
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
  searchOptions: { boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' as const },
};
