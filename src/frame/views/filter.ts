/** What the list of markets is narrowed to; kept while the customer looks at an event and comes back. */
import { signal } from '@preact/signals';

export const SORTS = ['trending', 'volume', 'closing-soon', 'new'] as const;

export interface Filter {
  /** Empty for all. */
  readonly category: string;
  readonly search: string;
  readonly sort: (typeof SORTS)[number];
}

export const filter = signal<Filter>({ category: '', search: '', sort: 'trending' });
