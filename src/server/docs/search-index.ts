/** What the search of the site finds: each passage of each page, and each operation. Built once, and searched in the browser. */
import MiniSearch from 'minisearch';
import type { SearchEntry } from '../../wire/docs-search.ts';
import { SEARCH_OPTIONS } from '../../wire/docs-search.ts';

/** @returns the index as JSON, for `MiniSearch.loadJSON` with the same options. */
export function indexEntries(entries: readonly SearchEntry[]): string {
  const index = new MiniSearch<SearchEntry>(SEARCH_OPTIONS);
  const seen = new Set<string>();
  index.addAll(entries.filter(({ id }) => !seen.has(id) && seen.add(id)));
  return JSON.stringify(index);
}
