/** What the screen of `top` is drawn from. */
import type { NamedStuckOrder } from '../service/stuck-orders.ts';
import type { TopSample } from './top-sample.ts';
import type { TopState } from './top-state.ts';
import type { TopViewKey } from './top-views.ts';

type Shown = 'orderId' | 'slug' | 'externalUserId' | 'market' | 'status' | 'createdAt';

export interface TopScreen {
  /** Oldest first, at least one. */
  readonly samples: readonly TopSample[];
  readonly stuck: readonly Pick<NamedStuckOrder, Shown>[];
  readonly state: TopState;
  /** The history of the stuck order that is open; none while it is read. */
  readonly history: readonly string[];
  /** Characters in a line of the terminal, and its lines. */
  readonly width: number;
  readonly height: number;
}

/** What the rows of the view are called: the chosen one is opened by its name. */
export function rowNames(view: TopViewKey, now: TopSample, stuck: TopScreen['stuck']): readonly string[] {
  switch (view) {
    case 'r':
      return (now.requests?.busiest ?? []).map(({ route }) => route);
    case 't':
      return now.tenants.map(({ slug }) => slug);
    case 'p':
      return now.prices.map(({ venue }) => venue);
    case 's':
      return stuck.map(({ orderId }) => orderId);
    case 'd':
      return now.due.map(({ name }) => name);
    case 'o':
    case 'w':
      return [];
  }
}
