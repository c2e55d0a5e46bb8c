/** The shapes of the money resources: described for the document, true to what the money room prints, strict where it counts. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  operatorExitMoney as exitBlock,
  nothingBooked,
  quoteMoney,
  settlementMoney as settled,
} from '../../src/money/blocks.ts';
import { feedItem, feedPage, feedQuery } from '../../src/wire/feed.ts';
import { operatorExitMoney, operatorMoney, settlementMoney } from '../../src/wire/money.ts';
import {
  cancellation,
  confirmReserveInput,
  orderDetail,
  orderInput,
  orderListQuery,
  orderPage,
  orderQuery,
} from '../../src/wire/order.ts';
import { positionPage } from '../../src/wire/position.ts';
import { quote, quoteInput } from '../../src/wire/quote.ts';
import { report, settledPositionsPage, settlementListQuery, settlementPage } from '../../src/wire/reconciliation.ts';
import {
  assets,
  balance,
  deposit,
  depositAddress,
  resolution,
  resolutionInput,
  scenario,
  scenarioInput,
  walletPage,
} from '../../src/wire/sandbox.ts';

const answers = {
  assets,
  balance,
  cancellation,
  deposit,
  depositAddress,
  feedPage,
  orderDetail,
  orderPage,
  positionPage,
  quote,
  report,
  resolution,
  scenario,
  settledPositionsPage,
  settlementPage,
  walletPage,
};

describe('answers on the wire', () => {
  test.each(Object.entries(answers))('%s carry no transform, and end in described fields', (_name, shape) => {
    expect(undescribed(z.toJSONSchema(shape, { io: 'output' }))).toEqual([]);
    expect(z.toJSONSchema(shape, { io: 'input' })).toBeTypeOf('object');
  });

  test('have the money blocks that the money room prints', () => {
    const buy = quoteMoney({ stakeMinor: 1_000n, platformFeeMinor: 20n, tradeMinor: 980n });
    expect(z.strictObject(operatorMoney.shape).parse(buy)).toEqual(buy);
    expect(z.strictObject(operatorMoney.shape).parse(nothingBooked(1_000n, true)).releaseAmount).toBe('10.00');
    const exit = exitBlock({ notionalMinor: 5n, platformFeeMinor: 1n, venueFeeMinor: 0n, venueFeeKnown: true });
    expect(z.strictObject(operatorExitMoney.shape).parse(exit)).toEqual(exit);
    const credit = settled({ settlementCreditMinor: 0n, voidCreditMinor: 7n });
    expect(z.strictObject(settlementMoney.shape).parse(credit)).toEqual(credit);
  });

  test('know the eight kinds of feed item of the contract, and no other', () => {
    expect(feedItem.options.map((item) => item.shape.type.value)).toHaveLength(8);
  });
});

describe('a quote request', () => {
  const body = { marketId: 'ctr_1', side: 'YES', action: 'buy', stake: 10 };
  const refused = (change: object) => !quoteInput.safeParse({ ...body, ...change }).success;

  // contract 9.1
  test('names exactly one size, that of its action, and ignores unknown fields', () => {
    expect(quoteInput.parse({ ...body, note: 'x' })).toEqual(body);
    expect(quoteInput.safeParse({ ...body, action: 'sell', stake: null, contracts: 2.5 }).success).toBe(true);
    const bad = [{ side: 'yes' }, { action: 'hold' }, { contracts: 1 }, { stake: undefined }, { action: 'sell' }];
    for (const change of bad) {
      expect(refused(change)).toBe(true);
    }
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, '10', true])('refuses a stake of %s', (stake) => {
    expect(refused({ stake })).toBe(true);
  });
});

describe('an order request', () => {
  const body = { quoteId: 'qt_1', clientOrderId: 'c-1' };

  // contract 10.1
  test('holds the bounds of the contract', () => {
    expect(orderInput.parse(body)).toEqual(body);
    const bad = [
      { quoteId: '' },
      { quoteId: 'q'.repeat(101) },
      { clientOrderId: 'c'.repeat(201) },
      { reserveReference: 'r'.repeat(201) },
      { executionIntent: 'now' },
      { maxSlippage: 1 },
      { maxSlippage: -0.01 },
    ];
    for (const change of bad) {
      expect(orderInput.safeParse({ ...body, ...change }).success).toBe(false);
    }
    expect(orderInput.safeParse({ ...body, maxSlippage: 0.99, executionIntent: 'simulate' }).success).toBe(true);
  });

  test('to confirm may come without a body', () => {
    expect(confirmReserveInput.safeParse(undefined).success).toBe(true);
    expect(confirmReserveInput.parse({ reserveReference: 'r' })).toEqual({ reserveReference: 'r' });
  });

  test('to read takes the exact spelling of fills, and a key only with its customer', () => {
    expect([{ fills: 'true' }, { fills: 'TRUE' }, {}].map((query) => orderQuery.parse(query).fills)).toEqual([
      true,
      false,
      false,
    ]);
    expect(orderListQuery.safeParse({ clientOrderId: 'c' }).success).toBe(false);
    expect(orderListQuery.parse({ clientOrderId: 'c', externalUserId: 'u' }).limit).toBe(50);
  });
});

describe('page sizes', () => {
  test('are clamped, and what is no whole number is the default', () => {
    const read = (limit: string) => orderListQuery.parse({ limit }).limit;
    expect(['0', '-3', '1', '200', '201', '999999'].map(read)).toEqual([1, 1, 1, 200, 200, 200]);
    expect(settlementListQuery.parse({ limit: '900' }).limit).toBe(500);
    expect(feedQuery.parse({}).limit).toBe(100);
    expect(orderListQuery.parse({ limit: 'many' }).limit).toBe(50);
  });

  test('of the feed come with one type or several', () => {
    expect(feedQuery.parse({ type: 'fee.assessed' }).type).toEqual(['fee.assessed']);
    expect(feedQuery.parse({ type: ['a', 'b'] }).type).toEqual(['a', 'b']);
  });
});

describe('sandbox requests', () => {
  test('arm a scenario by exactly one of share and amount', () => {
    const body = { kind: 'partial_fill', fillFraction: 0.5 };
    expect(scenarioInput.parse(body)).toEqual(body);
    const bad = [
      { fillFraction: 0 },
      { fillFraction: 1 },
      { fillAmountMinor: 5 },
      { kind: 'x' },
      { fillFraction: null },
    ];
    for (const change of bad) {
      expect(scenarioInput.safeParse({ ...body, ...change }).success).toBe(false);
    }
    expect(scenarioInput.safeParse({ kind: 'partial_fill', fillAmountMinor: 1.5 }).success).toBe(false);
  });

  test('take a resolution in any case of letters', () => {
    expect(resolutionInput.parse({ positionId: 'pos_1', resolution: 'win' }).resolution).toBe('WIN');
    expect(resolutionInput.safeParse({ positionId: 'pos_1', resolution: 'YES' }).success).toBe(false);
  });
});

/** Paths of fields in a JSON schema that neither describe themselves nor hold fields that do. */
function undescribed(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) {
    return [];
  }
  const node = schema as Record<string, unknown>;
  const nested = [node['items'], ...list(node['anyOf']), ...list(node['oneOf'])];
  const fields = Object.entries((node['properties'] ?? {}) as Record<string, Record<string, unknown>>);
  return [
    ...nested.flatMap((each) => undescribed(each, path)),
    ...fields.flatMap(([name, field]) => {
      const here = `${path}.${name}`;
      const holds = ['properties', 'items', 'anyOf', 'const'].some((key) => field[key] !== undefined);
      return [...(field['description'] === undefined && !holds ? [here] : []), ...undescribed(field, here)];
    }),
  ];
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
