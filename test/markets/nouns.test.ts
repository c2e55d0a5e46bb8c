/** The pure rules beside the prices: ids, slugs, the status of an event, the level that a ladder implies. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { usableLadders } from '../../src/markets/board/best-prices.ts';
import { makeBook } from '../../src/markets/board/board-rows.ts';
import { impliedLevel } from '../../src/markets/catalogue/render-event.ts';
import { type BoardContract, contractIdOf, eventIdOf, eventStatus, slugOf } from '../../src/markets/event.ts';

describe('ids', () => {
  test('are opaque, stable, and shared by a group', () => {
    expect(contractIdOf('paper', 'x', null)).toBe(contractIdOf('paper', 'x', null));
    expect(contractIdOf('paper', 'x', null)).not.toBe(contractIdOf('paper-2', 'x', null));
    expect(contractIdOf('paper', 'x', 'g')).toBe(contractIdOf('paper-2', 'y', 'g'));
    expect(eventIdOf('paper', 'x', null)).toMatch(/^evt_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(contractIdOf('paper', 'x', null).slice(4)).not.toBe(eventIdOf('paper', 'x', null).slice(4));
    const ids = new Set(Array.from({ length: 10_000 }, (_, index) => contractIdOf('paper', String(index), null)));
    expect(ids.size).toBe(10_000);
  });

  test('slugs are lower-case words', () => {
    expect(slugOf('Fed cuts rates in März? – 25 bps')).toBe('fed-cuts-rates-in-marz-25-bps');
    expect(slugOf('???')).toBe('event');
    fc.assert(fc.property(fc.string(), (title) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(slugOf(title))));
  });
});

// contract 4.15
describe('event status', () => {
  test.each([
    [['open', 'resolved', 'paused'], 'open'],
    [['paused', 'closed'], 'paused'],
    [['closed', 'resolved'], 'closed'],
    [['resolved', 'voided'], 'resolved'],
    [['voided', 'voided'], 'voided'],
  ] as const)('%j reads %s', (statuses, expected) => {
    expect(eventStatus(statuses.map((status) => ({ status })))).toBe(expected);
  });
});

describe('implied level', () => {
  const rung = (threshold: number, probability: number, direction: 'above' | 'below' | null) =>
    ({
      threshold,
      direction,
      books: [],
      lastPriceMicros: BigInt(Math.round(probability * 1e6)),
      sourcePriceMicros: null,
      resolution: null,
      splitYesMicros: null,
    }) as unknown as BoardContract;
  const ladder = (contracts: BoardContract[], levelFormat: string | null = `$\{k}`) =>
    impliedLevel({ kind: 'cumulative_ladder', contracts, levelFormat });

  // contract 5.5
  test('lies between the thresholds around one half, in both directions', () => {
    const up = ladder([rung(120, 0.2, 'above'), rung(100, 0.8, 'above'), rung(110, 0.6, 'above')]);
    expect(up).toEqual({ impliedLevel: 112.5, impliedLevelLabel: '$112.5' });
    expect(ladder([rung(2, 0.1, 'below'), rung(3, 0.9, 'below')], '{k}%')).toEqual({
      impliedLevel: 2.5,
      impliedLevelLabel: '2.5%',
    });
  });

  test('is null off ladders, for mixed directions, and if all thresholds are on one side of one half', () => {
    const none = { impliedLevel: null, impliedLevelLabel: null };
    expect(ladder([rung(1, 0.8, 'above'), rung(2, 0.2, 'below')])).toEqual(none);
    expect(ladder([rung(1, 0.8, 'above'), rung(2, 0.7, 'above')])).toEqual(none);
    expect(ladder([])).toEqual(none);
    expect(impliedLevel({ kind: 'binary', contracts: [rung(1, 0.5, 'above')], levelFormat: null })).toEqual(none);
  });
});

describe('books', () => {
  const level = fc.record({
    priceMicros: fc.bigInt({ min: 0n, max: 1_000_000n }),
    quantityMicros: fc.bigInt({ min: 0n, max: 10_000_000n }),
  });

  test('come out sorted, uncrossed and strictly inside 0 and 1, or with neither side', () => {
    fc.assert(
      fc.property(fc.array(level), fc.array(level), (bids, asks) => {
        const usable = usableLadders(bids, asks);
        for (const side of [usable.bids, usable.asks]) {
          for (const { priceMicros, quantityMicros } of side) {
            expect(priceMicros > 0n && priceMicros < 1_000_000n && quantityMicros > 0n).toBe(true);
          }
        }
        const bid = usable.bids[0]?.priceMicros;
        const ask = usable.asks[0]?.priceMicros;
        if (bid !== undefined && ask !== undefined) {
          expect(ask > bid).toBe(true);
        }
        for (const [index, { priceMicros }] of usable.bids.slice(1).entries()) {
          expect(priceMicros <= (usable.bids[index]?.priceMicros ?? 0n)).toBe(true);
        }
        if (usable.crossed) {
          expect([usable.bids, usable.asks]).toEqual([[], []]);
        }
      }),
    );
  });

  test('that no venue has sent are none', () => {
    expect(makeBook({ updatedAt: null } as never)).toBeNull();
  });
});
