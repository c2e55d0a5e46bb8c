/** What the tests of an order's facts expect of each: its names, its money, and how a list of facts is read. */
import type { Fact } from '../../src/core/fact.ts';

export const NAMES = {
  orderId: 'ord_1',
  executionRef: 'inl_Best_00000000000000',
  clientOrderId: 'key-1',
  externalUserId: 'ana',
};
export const NOTHING_BOOKED = {
  currency: 'USD',
  authorizationAmount: '10.00',
  actualDebit: '0.00',
  releaseAmount: '10.00',
  tradeAmount: '0.00',
  platformFee: '0.00',
  venueFee: '0.00',
};
/** 9.69 of contracts, 0.20 and 0.05 of fees. */
export const FILLED = { tradeMinor: 969n, platformFeeMinor: 20n, venueFeeMinor: 5n };
export const COLUMNS = { tradeMinor: 969n, platformFeeMinor: 20n, venueFeeMinor: 5n, venueFeeKnown: true };

/** What a fact is and moves: its type, the prefix of its id, and the lines of an entry or the words of its detail. */
export const outline = (facts: readonly Fact[]) =>
  facts.map(({ type, itemId, lines, detail }) => {
    const { kind, eventType, toState } = detail as Record<string, string | undefined>;
    return [type, itemId.slice(0, 4), lines ?? kind ?? eventType ?? toState];
  });

export const eventOf = (facts: readonly Fact[], eventType: string): unknown =>
  facts.find(({ detail }) => (detail as { eventType?: string }).eventType === eventType)?.event;
export const keysOf = (facts: readonly Fact[]) =>
  facts.flatMap(({ detail }) => (detail as { dedupeKey?: string }).dedupeKey ?? []);
