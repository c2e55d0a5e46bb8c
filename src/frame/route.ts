/** The current view of the frame. It is kept in memory, because the history belongs to the embedding page. */
import { signal } from '@preact/signals';
import type { Side } from '../core/terms.ts';
import { boot } from './boot.ts';

/** The outcome and side that a ticket is for. */
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

/** The scroll position of the list, restored when the customer returns to it. */
let listScroll = 0;

let moves = 0;

/** Whether the customer has moved between views, so that a view may take the focus. */
export function hasMoved(): boolean {
  return moves > 0;
}

export function go(next: Route): void {
  moves += 1;
  if (route.value.name === 'markets') {
    listScroll = window.scrollY;
  }
  route.value = next;
  window.scrollTo(0, next.name === 'markets' ? listScroll : 0);
}
