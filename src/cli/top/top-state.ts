/** The state of `top` while a person uses it: the view, the chosen row and the open row, and the data that the screen draws. Pure. */
import type { NamedOrder, NamedStuckOrder } from '../service/find-orders.ts';
import type { TopSample } from './top-sample.ts';

/** The views, by the key that opens each. */
export const TOP_VIEWS = {
  o: 'overview',
  r: 'routes',
  t: 'tenants',
  n: 'orders',
  p: 'prices',
  w: 'hooks',
  s: 'stuck',
  d: 'due',
} as const;
export type TopViewKey = keyof typeof TOP_VIEWS;

interface TopState {
  readonly view: TopViewKey;
  /** Place of the chosen row in the view. */
  readonly chosen: number;
  /** Name of the row that is open, or null. A name, because rows change places between two readings. */
  readonly open: string | null;
  /** Lines of an open row that are scrolled out above the screen. */
  readonly above: number;
}

export const FIRST_STATE: TopState = { view: 'o', chosen: 0, open: null, above: 0 };

/**
 * Moves to a view, or chooses, opens, scrolls or closes a row.
 * @param key a letter, or `up`, `down`, `enter`, `back`
 * @param names of the rows of the view, in order
 * @returns the same state if the key has no effect in the view
 */
export function pressKey(state: TopState, key: string, names: readonly string[]): TopState {
  if (isViewKey(key)) {
    return { ...FIRST_STATE, view: key };
  }
  const last = Math.max(0, names.length - 1);
  switch (key) {
    case 'up':
    case 'down': {
      const step = key === 'up' ? -1 : 1;
      return state.open === null
        ? { ...state, chosen: Math.min(last, Math.max(0, state.chosen + step)) }
        : { ...state, above: Math.max(0, state.above + step) };
    }
    case 'enter': {
      const open = state.open ?? names[Math.min(last, state.chosen)] ?? null;
      return { ...state, open };
    }
    case 'back':
      return { ...state, open: null, above: 0 };
    default:
      return state;
  }
}

function isViewKey(key: string): key is TopViewKey {
  return Object.hasOwn(TOP_VIEWS, key);
}

type Shown = 'orderId' | 'slug' | 'externalUserId' | 'market' | 'status' | 'createdAt';
type Traded = Shown | 'action' | 'authorizationMinor' | 'tradeMinor' | 'platformFeeMinor' | 'venueFeeMinor';

/** An outage of the database, during which the screen shows the last reading. */
interface TopTrouble {
  /** Time since its last response. */
  readonly seconds: number;
  /** Cause of the wait or of the refusal; null if it is not known. */
  readonly why: string | null;
}

export interface TopScreen {
  /** Oldest first. */
  readonly samples: readonly TopSample[];
  /** Null while the database responds. */
  readonly trouble: TopTrouble | null;
  readonly stuck: readonly Pick<NamedStuckOrder, Shown>[];
  /** The newest orders over all tenants. */
  readonly orders: readonly Pick<NamedOrder, Traded>[];
  readonly state: TopState;
  /** Lines of the history of the order that is open; empty while it is read. */
  readonly history: readonly string[];
  /** Characters per line of the terminal, and its lines. */
  readonly width: number;
  readonly height: number;
}

/** @returns the names of the rows of the view, by which they are opened */
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
