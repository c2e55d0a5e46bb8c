/** The filter of the list of markets; it is kept while the customer looks at an event. */
import { signal } from '@preact/signals';

export const SORTS = ['trending', 'volume', 'closing-soon', 'new'] as const;

export interface Filter {
  /** Shows the customer's favourites instead of a category. */
  readonly favourites: boolean;
  /** Empty for all categories. */
  readonly category: string;
  /** Of sports; empty for all. */
  readonly league: string;
  readonly search: string;
  readonly sort: (typeof SORTS)[number];
}

export const filter = signal<Filter>({ favourites: false, category: '', league: '', search: '', sort: 'trending' });
