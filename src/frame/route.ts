/** Where the customer is inside the frame. Kept in memory: the page's own history is not the frame's to write. */
import { signal } from '@preact/signals';
import { boot } from './boot.ts';

export type Side = 'YES' | 'NO';

/** What a ticket is opened on. */
export interface Pick {
  readonly contractId: string;
  readonly side: Side;
}

export type Route =
  | { readonly name: 'markets' }
  | { readonly name: 'event'; readonly eventId: string; readonly pick: Pick | null }
  | { readonly name: 'positions' };

export const route = signal<Route>(
  boot.eventId ? { name: 'event', eventId: boot.eventId, pick: null } : { name: 'markets' },
);

/** Where the list stood, so that coming back to it is coming back. */
let listScroll = 0;

export function go(next: Route): void {
  if (route.value.name === 'markets') {
    listScroll = window.scrollY;
  }
  route.value = next;
  window.scrollTo(0, next.name === 'markets' ? listScroll : 0);
}
