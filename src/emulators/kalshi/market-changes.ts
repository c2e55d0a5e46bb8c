/** What has changed at a market of the emulated exchange since it was last shown: levels of its book, its status, its closing time. Pure. */
import { decimal, renderBook } from './render.ts';
import type { Market } from './state.ts';

type Levels = ReadonlyMap<string, string>;

export interface Shown {
  readonly yes: Levels;
  readonly no: Levels;
  readonly status: Market['status'];
  readonly closesAt: number;
}

const EVENT_TYPES: Partial<Record<Market['status'], string>> = {
  active: 'activated',
  inactive: 'deactivated',
  determined: 'determined',
  finalized: 'settled',
};

type Sides = { readonly yes?: readonly [string, string][]; readonly no?: readonly [string, string][] };

/** Both sides of the book as the exchange writes them. */
export function levelsOf(market: Market | undefined): Sides {
  const book = market && (renderBook(market) as { yes_dollars: [string, string][]; no_dollars: [string, string][] });
  return book === undefined ? {} : { yes: book.yes_dollars, no: book.no_dollars };
}

/** @param before undefined for a market that was not shown yet. @returns deltas of its book, and the event of its life, if any */
export function changesOf(
  market: Market,
  before: Shown | undefined,
): { readonly now: Shown; readonly deltas: readonly object[]; readonly event: string | undefined } {
  const { yes = [], no = [] } = levelsOf(market);
  const now = { yes: new Map(yes), no: new Map(no), status: market.status, closesAt: market.closeTime.getTime() };
  if (before === undefined) {
    return { now, deltas: [], event: 'created' };
  }
  const life = before.status === market.status ? undefined : EVENT_TYPES[market.status];
  return {
    now,
    deltas: (['yes', 'no'] as const).flatMap((side) => deltas(side, before[side], now[side])),
    event: life ?? (before.closesAt === now.closesAt ? undefined : 'close_date_updated'),
  };
}

function deltas(side: 'yes' | 'no', before: Levels, now: Levels): object[] {
  return [...new Set([...before.keys(), ...now.keys()])].flatMap((price) => {
    const delta = hundredths(now.get(price)) - hundredths(before.get(price));
    return delta === 0n ? [] : [{ side, price_dollars: price, delta_fp: decimal(delta * 10_000n, 2) }];
  });
}

function hundredths(count: string | undefined): bigint {
  return BigInt((count ?? '0.00').replace('.', ''));
}
