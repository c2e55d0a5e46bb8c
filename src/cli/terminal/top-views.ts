/** The views of `top`, each behind a key, and what they are drawn from. */
import type { listStuck } from '../../trading/orders/find-orders.ts';
import type { TopSample } from './top-sample.ts';

export const TOP_VIEWS = {
  o: 'overview',
  r: 'routes',
  t: 'tenants',
  p: 'prices',
  w: 'webhooks',
  s: 'stuck',
  d: 'due',
} as const;
export type TopViewKey = keyof typeof TOP_VIEWS;

type StuckOrder = Awaited<ReturnType<typeof listStuck>>[number];

export interface TopScreen {
  /** Oldest first, at least one. */
  readonly samples: readonly TopSample[];
  readonly stuck: readonly Pick<StuckOrder, 'orderId' | 'slug' | 'externalUserId' | 'status' | 'createdAt'>[];
  readonly view: TopViewKey;
  /** Characters in a line of the terminal, and its lines. */
  readonly width: number;
  readonly height: number;
}
