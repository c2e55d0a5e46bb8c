/**
 * The view that the frame shows, and where the focus goes when it changes. Each view is an entry of the session history, which
 * the frame shares with the page around it: the browser's Back and Forward lead from view to view and leave the page only from
 * the first one. The address never changes.
 */
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
  /** `selling`: the position whose cash-out is open. */
  | { readonly name: 'positions'; readonly list: 'open' | 'past'; readonly selling?: string }
  /** All orders, or those of one position. */
  | { readonly name: 'activity'; readonly of: Pick | null };

interface Entry {
  readonly route: Route;
  /** The view of the entry before it, or null if that entry does not belong to the frame. */
  readonly from: Route | null;
}

/** A reload of the page loads the frame by its first address. The frame returns to its view if it was left less than this ago. */
const RELOAD_MS = 15_000;
const KEPT = `inlay.view.${window.location.pathname}${window.location.search}`;

let entry: Entry = (window.history.state as Entry | null) ?? { route: firstRoute(), from: null };

export const route = signal<Route>(entry.route);

window.history.replaceState(entry, '');
window.history.scrollRestoration = 'manual';
window.addEventListener('popstate', ({ state }: PopStateEvent) => {
  if (state !== null) {
    show(state as Entry);
  }
});
window.addEventListener('pagehide', () => {
  try {
    window.sessionStorage.setItem(KEPT, JSON.stringify({ route: route.peek(), leftAt: Date.now() }));
  } catch {
    // A browser may refuse to keep anything for an embedded page.
  }
});

/** The scroll position of the list that the customer left. */
let listScroll = 0;

/** Restores the scroll position of the list. The list calls it when it is shown again, which may be after its data were loaded. */
export function restoreListScroll(): void {
  if (listScroll > 0) {
    window.scrollTo(0, listScroll);
    listScroll = 0;
  }
}

let moves = 0;

/** Whether the customer has moved between views, so that a view may take the focus. */
export function hasMoved(): boolean {
  return moves > 0;
}

export function go(next: Route): void {
  const added = { route: next, from: entry.route };
  window.history.pushState(added, '');
  show(added);
}

/** Shows another view in place of this one. Back does not return to the replaced view. */
export function replace(next: Route): void {
  entry = { ...entry, route: next };
  window.history.replaceState(entry, '');
  route.value = next;
}

/** Closes a view: one step back if that leads to `next`, so that the history does not grow. */
export function leave(next: Route): void {
  if (JSON.stringify(entry.from) === JSON.stringify(next)) {
    window.history.back();
  } else {
    replace(next);
  }
}

function show(next: Entry): void {
  moves += 1;
  const { value: before } = route;
  if (before.name === 'markets') {
    listScroll = window.scrollY;
  }
  entry = next;
  route.value = next.route;
  if (pageOf(before) !== pageOf(next.route)) {
    window.scrollTo(0, 0);
  }
}

/** A key that is the same for views of one page. The page keeps its scroll position while a ticket or a cash-out opens and closes. */
function pageOf(route: Route): string {
  return [route.name, route.name === 'event' ? route.eventId : route.name === 'positions' ? route.list : ''].join(' ');
}

function firstRoute(): Route {
  return keptRoute() ?? (boot.eventId ? { name: 'event', eventId: boot.eventId, pick: null } : { name: 'markets' });
}

function keptRoute(): Route | null {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (navigation?.type === 'back_forward') {
    return null;
  }
  try {
    const kept = JSON.parse(window.sessionStorage.getItem(KEPT) ?? 'null') as { route: Route; leftAt: number } | null;
    return kept !== null && Date.now() - kept.leftAt < RELOAD_MS ? kept.route : null;
  } catch {
    return null;
  }
}

/** Takes the focus only if the frame has it already: the customer may be typing in the page around it. */
export function takeFocus(element: HTMLElement | null | undefined): void {
  if (document.hasFocus()) {
    element?.focus({ preventScroll: true });
  }
}

/** Takes the focus only if no other element has it, because the element that had it is gone. */
export function catchFocus(element: HTMLElement | null | undefined): void {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body || activeElement.matches(':disabled')) {
    takeFocus(element);
  }
}

/** Moves the focus to the heading of the view, because the button that had it is replaced by what it loads. */
export function focusHeading(): void {
  takeFocus(document.querySelector<HTMLElement>('main h1, main'));
}
