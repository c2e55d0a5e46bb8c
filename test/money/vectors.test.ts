/** Every money vector of the contract, checked against the rules to the last digit. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { operatorExitMoney, operatorMoney, quoteMoney, settlementMoney } from '../../src/money/blocks.ts';
import { decideBuyQuote } from '../../src/money/buy.ts';
import { formatDecimal, parseDecimal } from '../../src/money/decimal.ts';
import { exitShare } from '../../src/money/exit.ts';
import { fillBuyPart, partialQuantity } from '../../src/money/partial.ts';
import { payout, type Resolved } from '../../src/money/payout.ts';
import { decideSell } from '../../src/money/sell.ts';
import { formatMinor } from '../../src/money/usd.ts';

type Pairs = [string, string][];
interface Vector {
  id: string;
  kind: 'buy_quote' | 'partial_fill' | 'sell' | 'exit_share' | 'settlement';
  name: string;
  input: Record<string, string> & { bids: Pairs; asks: Pairs; platformFeeBps: number; side: 'YES' | 'NO' };
  expected: Record<string, unknown>;
}

const file = JSON.parse(readFileSync(new URL('../../fixtures/money-vectors.json', import.meta.url), 'utf8')) as {
  count: number;
  vectors: Vector[];
};
const micros = (text: string) => parseDecimal(text, 6, 'exact');
const minor = (text: string) => parseDecimal(text, 2, 'exact');
const six = (value: bigint) => formatDecimal(value, 6);
const levels = (pairs: Pairs) =>
  pairs.map(([price, size]) => ({ priceMicros: micros(price), quantityMicros: micros(size) }));
const text = (value: string | undefined): string => {
  if (value === undefined) {
    throw new Error('the vector lacks an input');
  }
  return value;
};

const compute: Record<Vector['kind'], (vector: Vector) => Record<string, unknown>> = {
  buy_quote({ input }) {
    const quote = decideBuyQuote({
      stake: text(input.stake),
      feeBps: input.platformFeeBps,
      side: input.side,
      bids: levels(input.bids),
      asks: levels(input.asks),
    });
    if (!quote.ok) {
      const refusal = { status: quote.code === 'invalid_request' ? 400 : 422, error: quote.code };
      return 'maxStakeMinor' in quote && quote.maxStakeMinor !== null
        ? { ...refusal, maxStake: formatMinor(quote.maxStakeMinor) }
        : refusal;
    }
    return {
      stake: formatMinor(quote.stakeMinor),
      platformFee: formatMinor(quote.platformFeeMinor),
      tradeAmount: formatMinor(quote.tradeMinor),
      executionPrice: six(quote.priceMicros),
      contracts: six(quote.contractsMicros),
      potentialPayout: formatMinor(quote.payoutMinor),
      operatorMoney: quoteMoney(quote),
    };
  },
  partial_fill({ input }) {
    const terms = {
      authorizationMinor: minor(text(input.authorizationAmount)),
      platformFeeMinor: minor(text(input.platformFee)),
      tradeMinor: minor(text(input.tradeAmount)),
      priceMicros: micros(text(input.executionPrice)),
      contractsMicros: micros(text(input.contracts)),
    };
    const request =
      input.fillFraction === undefined
        ? { amountMinor: BigInt(text(input.fillAmountMinor)) }
        : { fraction: input.fillFraction };
    const whole = { contractsMicros: terms.contractsMicros, wholeMinor: terms.authorizationMinor };
    const part = fillBuyPart(terms, partialQuantity(whole, request));
    const money = operatorMoney({ ...part, authorizationMinor: terms.authorizationMinor, venueFeeKnown: true });
    expect(money.actualDebit).toBe(formatMinor(part.actualDebitMinor));
    expect(money.releaseAmount).toBe(formatMinor(part.releaseMinor));
    return { filledQuantity: six(part.filledMicros), operatorMoney: money };
  },
  sell({ input }) {
    const sell = decideSell({
      contracts: text(input.contracts),
      feeBps: input.platformFeeBps,
      side: input.side,
      bids: levels(input.bids),
      asks: levels(input.asks),
    });
    if (!sell.ok) {
      return { status: 422, error: sell.code };
    }
    return {
      executionPrice: six(sell.priceMicros),
      tradeAmount: formatMinor(sell.notionalMinor),
      platformFee: formatMinor(sell.platformFeeMinor),
      potentialPayout: formatMinor(sell.proceedsMinor),
      operatorExitMoney: operatorExitMoney({ ...sell, venueFeeKnown: false }),
    };
  },
  exit_share({ input }) {
    const holding = {
      costBasisMinor: minor(text(input.costBasis)),
      entryFeesMinor: minor(text(input.entryFees)),
      quantityMicros: micros(text(input.quantity)),
      priceWeight: 0n,
    };
    const share = exitShare(holding, micros(text(input.exitQuantity)), minor(text(input.sellProceeds)));
    return {
      costShare: formatMinor(share.costShareMinor),
      feeShare: formatMinor(share.feeShareMinor),
      realisedPnl: formatMinor(share.realisedPnlMinor),
      costBasis: formatMinor(share.remaining.costBasisMinor),
      entryFees: formatMinor(share.remaining.entryFeesMinor),
      quantity: six(share.remaining.quantityMicros),
      status: share.status,
    };
  },
  settlement({ input }) {
    const word = input.resolution as 'YES' | 'NO' | 'VOID' | 'SPLIT';
    const resolved: Resolved =
      word === 'SPLIT' ? { resolution: word, splitYesMicros: micros(text(input.yesWorth)) } : { resolution: word };
    const held = {
      side: input.side,
      quantityMicros: micros(text(input.quantity)),
      costBasisMinor: minor(text(input.costBasis)),
    };
    const paid = payout(held, resolved);
    return {
      outcome: paid.outcome,
      resolution: word,
      realisedPnl: formatMinor(paid.realisedPnlMinor),
      operatorMoney: settlementMoney(paid),
    };
  },
};

describe('the money vectors of the contract', () => {
  test('are all there', () => expect(file.vectors).toHaveLength(file.count));
  for (const vector of file.vectors) {
    // contract 2.5, contract 2.6
    test(`${vector.id}: ${vector.name}`, () => expect(compute[vector.kind](vector)).toEqual(vector.expected));
  }
});
