/** What an order at Polymarket must fit: tokens of both sides, tick, smallest size, exchange contract and fee, as they are now. */
import { LRUCache } from 'lru-cache';
import { ONE_DOLLAR_MICROS } from '../../money/units.ts';
import type { SentOrder } from '../order.ts';
import { expectShape, misfit } from '../response-shape.ts';
import type { Clob } from './clob.ts';
import { polymarketMarketOfToken, polymarketTerms } from './order-schemas.ts';

/** Ticks change near 0 and 1. */
const GOOD_MS = 30_000;
const MOST_MARKETS = 5_000;
const FEE_STEP_MICROS = 10n;

export interface MarketTokens {
  readonly conditionId: string;
  /** Also the id of the listing. */
  readonly yes: string;
  readonly no: string;
}

export interface TradingTerms extends MarketTokens {
  readonly tickMicros: bigint;
  readonly minimumMicros: bigint;
  readonly negRisk: boolean;
  readonly fee: FeeCurve;
}

/** fee = shares * rate * (p * (1 - p)) ^ exponent, for takers. */
export interface FeeCurve {
  /** Millionths. */
  readonly rateMicros: bigint;
  readonly exponent: number;
}

export interface TermsReader {
  /** @param token of either side. @throws VenueUnknown */
  of(token: string): Promise<TradingTerms>;
}

export function openTerms(venue: string, clob: Clob): TermsReader {
  const tokens = new LRUCache<string, MarketTokens>({ max: MOST_MARKETS });
  const terms = new LRUCache<string, TradingTerms>({ max: MOST_MARKETS, ttl: GOOD_MS });

  async function tokensOf(token: string): Promise<MarketTokens> {
    const known = tokens.get(token);
    if (known !== undefined) {
      return known;
    }
    const { status, body } = await clob.get(`/markets-by-token/${encodeURIComponent(token)}`);
    if (status === 404) {
      throw misfit(venue, 'market', 'no market of this token', token);
    }
    const market = expectShape(venue, 'market', polymarketMarketOfToken, body);
    const found = { conditionId: market.condition_id, yes: market.primary_token_id, no: market.secondary_token_id };
    for (const one of [found.yes, found.no]) {
      tokens.set(one, found);
    }
    return found;
  }

  return {
    async of(token) {
      const market = await tokensOf(token);
      const known = terms.get(market.conditionId);
      if (known !== undefined) {
        return known;
      }
      const { body } = await clob.get(`/clob-markets/${encodeURIComponent(market.conditionId)}`);
      const read = expectShape(venue, 'terms', polymarketTerms, body);
      const found: TradingTerms = {
        ...market,
        tickMicros: read.mts,
        minimumMicros: read.mos,
        negRisk: read.nr === true,
        fee: { rateMicros: BigInt(Math.round((read.fd?.r ?? 0) * 1_000_000)), exponent: read.fd?.e ?? 1 },
      };
      terms.set(market.conditionId, found);
      return found;
    },
  };
}

/** Rounded down to 0.00001 dollars. */
export function takerFeeMicros({ rateMicros, exponent }: FeeCurve, priceMicros: bigint, sharesMicros: bigint): bigint {
  const variance = priceMicros * (ONE_DOLLAR_MICROS - priceMicros);
  const scale = ONE_DOLLAR_MICROS * (ONE_DOLLAR_MICROS * ONE_DOLLAR_MICROS) ** BigInt(exponent);
  const exact = (sharesMicros * rateMicros * variance ** BigInt(exponent)) / scale;
  return exact - (exact % FEE_STEP_MICROS);
}

export function tokenOf(terms: MarketTokens, side: SentOrder['side']): string {
  return side === 'YES' ? terms.yes : terms.no;
}
