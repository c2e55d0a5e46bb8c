/** What the screen of `top` is drawn from. */
import type { NamedOrder, NamedStuckOrder } from '../service/named-orders.ts';
import type { TopSample } from './top-sample.ts';
import type { TopState } from './top-state.ts';
import type { TopViewKey } from './top-views.ts';

type Shown = 'orderId' | 'slug' | 'externalUserId' | 'market' | 'status' | 'createdAt';
type Traded = Shown | 'action' | 'authorizationMinor' | 'proceedsMinor';

export interface TopScreen {
  /** Oldest first, at least one. */
  readonly samples: readonly TopSample[];
  readonly stuck: readonly Pick<NamedStuckOrder, Shown>[];
  /** The newest orders over all tenants. */
  readonly orders: readonly Pick<NamedOrder, Traded>[];
  readonly state: TopState;
  /** The history of the order that is open; none while it is read. */
  readonly history: readonly string[];
  /** Characters in a line of the terminal, and its lines. */
  readonly width: number;
  readonly height: number;
}

/** What the rows of the view are called: the chosen one is opened by its name. */
export function rowNames(
  view: TopViewKey,
  now: TopSample,
  { stuck, orders }: Pick<TopScreen, 'stuck' | 'orders'>,
): readonly string[] {
  switch (view) {
    case 'r':
      return (now.requests?.busiest ?? []).map(({ route }) => route);
    case 't':
      return now.tenants.map(({ slug }) => slug);
    case 'p':
      return now.prices.map(({ venue }) => venue);
    case 'n':
      return orders.map(({ orderId }) => orderId);
    case 's':
      return stuck.map(({ orderId }) => orderId);
    case 'd':
      return now.due.map(({ name }) => name);
    case 'o':
    case 'w':
      return [];
  }
}
