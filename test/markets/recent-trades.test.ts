/** What was traded lately: rises of a volume, and rises of the sum of a stream that says each trade; nothing is invented. */
import { expect, test } from 'vitest';
import type { BoardContract, Book } from '../../src/markets/event.ts';
import { createRecentTrades } from '../../src/markets/prices/recent-trades.ts';

const at = new Date('2026-11-23T12:00:00Z');
const contracts = (count: number) => BigInt(count * 1_000_000);

type Shown = Pick<BoardContract, 'contractId' | 'volumeMicros' | 'lastPriceMicros' | 'updatedAt'> & {
  readonly books: readonly Pick<Book, 'venue' | 'listingId' | 'matched' | 'traded' | 'updatedAt'>[];
};

function shown(volume: number, sums: Record<string, number | null>, price = 0.62): Shown {
  const priceMicros = BigInt(Math.round(price * 1e6));
  return {
    contractId: 'ctr_1',
    volumeMicros: contracts(volume),
    lastPriceMicros: volume === 0 ? null : priceMicros,
    updatedAt: at,
    books: Object.entries(sums).map(([listingId, sum]) => ({
      venue: 'polymarket',
      listingId,
      matched: listingId.startsWith('matched'),
      traded: sum === null ? null : { quantityMicros: contracts(sum), priceMicros },
      updatedAt: at,
    })),
  };
}

/** A board with one contract, as far as recent trades know it. */
function boardWith(first: Shown | undefined) {
  const map = new Map<string, BoardContract>();
  let tell: (change: { contracts: string[] }) => void = () => {};
  const put = (contract: Shown | undefined) => {
    if (contract === undefined) {
      map.delete('ctr_1');
    } else {
      map.set('ctr_1', contract as BoardContract);
    }
    tell({ contracts: ['ctr_1'] });
  };
  put(first);
  const trades = createRecentTrades({
    contracts: map,
    onChange: (listener: typeof tell) => {
      tell = listener;
    },
  } as never);
  return { put, read: () => trades.of('ctr_1').trades.map(({ price, contracts: count }) => [price, count]) };
}

test('each rise of a volume is an entry, a correction is none, and what was there at the start is none', () => {
  const { put, read } = boardWith(shown(100, { l: null }));
  expect(read()).toEqual([]);
  put(shown(112.5, { l: null }));
  put(shown(110, { l: null }));
  put(shown(111, { l: null }, 0.63));
  expect(read()).toEqual([
    [0.63, 1],
    [0.62, 12.5],
  ]);
});

test('a listing whose trades are said one by one has an entry for each rise of their sum, the first one too', () => {
  const { put, read } = boardWith(shown(0, { l: null }));
  put(shown(0, { l: 25 }, 0.51));
  put(shown(0, { l: 25 }, 0.51));
  put(shown(0, { l: 40 }, 0.52));
  expect(read()).toEqual([
    [0.52, 15],
    [0.51, 25],
  ]);
  // a worker that starts anew begins at 0
  put(shown(0, { l: 3 }, 0.53));
  expect(read()[0]).toEqual([0.53, 3]);
});

test('the book of a matched contract is not its own, and a contract that comes later starts with nothing', () => {
  const { put, read } = boardWith(undefined);
  put(shown(5, { l: 7, matched: 1 }));
  expect(read()).toEqual([]);
  put(shown(5, { l: 7, matched: 9 }));
  expect(read()).toEqual([]);
  put(shown(5, { l: 8, matched: 9 }));
  expect(read()).toEqual([[0.62, 1]]);
  put(undefined);
  expect(read()).toEqual([]);
});

test('twenty are kept, the newest first', () => {
  const { put, read } = boardWith(shown(0, { l: null }));
  for (let sum = 1; sum <= 30; sum += 1) {
    put(shown(0, { l: (sum * (sum + 1)) / 2 }));
  }
  expect(read().map(([, count]) => count)).toEqual(Array.from({ length: 20 }, (_, index) => 30 - index));
});
