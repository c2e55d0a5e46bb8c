/** A quote: what was bound for its holding time, and how it reads on the wire (contract 9.4). */
import type { Action, Side } from '../../core/terms.ts';
import { operatorExitMoney, quoteMoney } from '../../money/blocks.ts';
import { jsonNumber, MICRO_SCALE, MINOR_SCALE } from '../../money/decimal.ts';
import type { Quote as WireQuote } from '../../wire/quote.ts';
import type { Freshness } from './freshness.ts';
import type { Routing } from './routing.ts';

/** Amounts are cents, the price micro-dollars, the quantity micro-contracts. A sell authorises nothing. */
export interface QuoteTerms {
  readonly side: Side;
  readonly action: Action;
  readonly priceMicros: bigint;
  readonly feeBps: number;
  readonly authorizationMinor: bigint;
  readonly feeMinor: bigint;
  /** T of a buy, the notional of a sell. */
  readonly tradeMinor: bigint;
  readonly quantityMicros: bigint;
  /** What a winner pays, or the proceeds of a sell. */
  readonly payoutMinor: bigint;
}

export interface Quote extends QuoteTerms {
  readonly quoteId: string;
  readonly contractId: string;
  readonly expiresAt: Date;
  readonly simulated: boolean;
  readonly freshness: Freshness;
  readonly routing: Routing;
}

const HOLD_SECONDS = 30;
const FIVE_MINUTE_HOLD_SECONDS = 5;

/** Seconds that a quote is held (contract 9.6). */
export function holdSeconds(contract: { readonly fiveMinute: boolean }): number {
  return contract.fiveMinute ? FIVE_MINUTE_HOLD_SECONDS : HOLD_SECONDS;
}

export function renderQuote(quote: Quote): WireQuote {
  const buys = quote.action === 'buy';
  return {
    quoteId: quote.quoteId,
    contractId: quote.contractId,
    side: quote.side,
    action: quote.action,
    executionPrice: jsonNumber(quote.priceMicros, MICRO_SCALE),
    priceBasis: 'book',
    stake: buys ? jsonNumber(quote.authorizationMinor, MINOR_SCALE) : null,
    platformFee: jsonNumber(quote.feeMinor, MINOR_SCALE),
    platformFeeBps: quote.feeBps,
    tradeAmount: jsonNumber(quote.tradeMinor, MINOR_SCALE),
    contracts: jsonNumber(quote.quantityMicros, MICRO_SCALE),
    potentialPayout: jsonNumber(quote.payoutMinor, MINOR_SCALE),
    expiresAt: quote.expiresAt.toISOString(),
    simulated: quote.simulated,
    freshness: quote.freshness,
    routing: { consideredVenues: quote.routing.consideredVenues, routable: quote.routing.routable },
    operatorMoney: buys
      ? quoteMoney({
          stakeMinor: quote.authorizationMinor,
          platformFeeMinor: quote.feeMinor,
          tradeMinor: quote.tradeMinor,
        })
      : null,
    operatorExitMoney: buys
      ? null
      : operatorExitMoney({
          notionalMinor: quote.tradeMinor,
          platformFeeMinor: quote.feeMinor,
          venueFeeMinor: 0n,
          venueFeeKnown: false,
        }),
  };
}
