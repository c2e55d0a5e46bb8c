/** The terms that an order at Polymarket must fit now: tokens of both sides, tick, smallest size, contract and fee. They are cached briefly. */
import { LRUCache } from 'lru-cache';
import type { Address } from 'viem';
import { z } from 'zod';
import { ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import type { SentOrder } from '../port.ts';
import { expectShape, jsonOf, misfit } from '../shapes.ts';
import { type Builder, builderFeeMicros } from './builder.ts';
import type { Clob } from './clob.ts';
import {
  type Protocol,
  polymarketByToken,
  polymarketListed,
  polymarketTerms,
  TOKEN_PARAMETERS,
  tokensOf as tokensOfMarket,
} from './shapes.ts';
import { EXCHANGE, EXCHANGE_V3, NEG_RISK_EXCHANGE } from './sign.ts';

/** Terms are read again after this time, because ticks change near prices of 0 and 1. */
const GOOD_MS = 30_000;
/** A token without a market is looked for again after this time. */
const UNLISTED_MS = 600_000;
const MOST_MARKETS = 5_000;
const FEE_STEP_MICROS = 10n;
const VARIANCE_SCALE = ONE_DOLLAR_MICROS * ONE_DOLLAR_MICROS;

export interface MarketTokens {
  readonly conditionId: string;
  /** Also the id of the listing. */
  readonly yes: string;
  readonly no: string;
  /** Version of the protocol, as the market states it; the contract under which orders are signed follows from it. */
  readonly protocol: Protocol;
}

export interface TradingTerms extends MarketTokens {
  readonly tickMicros: bigint;
  readonly minimumMicros: bigint;
  /** Contract of the exchange that trades the market. */
  readonly contract: Address;
  readonly fee: FeeCurve;
  /** Rate of the builder that our orders name, in basis points of the dollars; 0 if they name none. */
  readonly builderBps: number;
}

/** Fee of takers: shares * rate * (p * (1 - p)) ^ exponent. */
interface FeeCurve {
  /** Millionths. */
  readonly rateMicros: bigint;
  readonly exponent: number;
}

export interface TermsReader {
  /**
   * @returns undefined if the exchange has no market of this token
   * @throws VenueUnknown
   */
  tokensOf(token: string): Promise<MarketTokens | undefined>;
  /** @param token of either side. @throws VenueUnknown */
  of(token: string): Promise<TradingTerms>;
}

/** Reads a path of the catalogue without a signature. @returns the body */
type AskCatalogue = (path: string) => Promise<unknown>;

/** @param builder the builder that our orders name, whose rate is part of the terms */
export function openTerms(
  venue: string,
  clob: Clob,
  askCatalogue: AskCatalogue,
  builder?: Pick<Builder, 'takerBps'>,
): TermsReader {
  const tokens = new LRUCache<string, MarketTokens>({ max: MOST_MARKETS });
  const unlisted = new LRUCache<string, true>({ max: MOST_MARKETS, ttl: UNLISTED_MS });
  const terms = new LRUCache<string, TradingTerms>({ max: MOST_MARKETS, ttl: GOOD_MS });

  /** A market of the first version may also have position ids, under which no orders are traded, so only the ids of its version count. */
  async function findMarket(token: string): Promise<MarketTokens | undefined> {
    for (const parameter of TOKEN_PARAMETERS) {
      for (const closed of ['false', 'true']) {
        const query = new URLSearchParams({ limit: '1', closed, [parameter]: token });
        const page = expectShape(venue, 'market', polymarketListed, await askCatalogue(`/markets/keyset?${query}`));
        for (const market of page.markets) {
          const traded = tokensOfMarket(market);
          if (traded?.tokens.includes(token)) {
            const [yes, no] = traded.tokens;
            return { conditionId: market.conditionId, yes, no, protocol: traded.protocol };
          }
        }
      }
    }
    return undefined;
  }

  /** The catalogue lists no archived market, but the order book still has it. Its protocol does not matter, as no order is sent there. */
  async function findArchived(token: string): Promise<MarketTokens | undefined> {
    const { status, body } = await clob.get(`/markets-by-token/${encodeURIComponent(token)}`);
    if (status === 404) {
      return undefined;
    }
    const found = expectShape(venue, 'market', polymarketByToken, body);
    const [yes, no] = [found.primary_token_id, found.secondary_token_id];
    return { conditionId: found.condition_id, yes, no, protocol: 'v1' };
  }

  async function tokensOf(token: string): Promise<MarketTokens | undefined> {
    const known = tokens.get(token);
    if (known !== undefined || unlisted.has(token)) {
      return known;
    }
    const found = (await findMarket(token)) ?? (await findArchived(token));
    if (found === undefined) {
      unlisted.set(token, true);
    } else {
      for (const one of [found.yes, found.no]) {
        tokens.set(one, found);
      }
    }
    return found;
  }

  return {
    tokensOf,
    async of(token) {
      const market = await tokensOf(token);
      if (market === undefined) {
        throw misfit(venue, 'market', 'no market of this token', token);
      }
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
        contract: contractOf(market.protocol, read.nr === true),
        fee: { rateMicros: BigInt(Math.round((read.fd?.r ?? 0) * 1_000_000)), exponent: read.fd?.e ?? 0 },
        builderBps: (await builder?.takerBps()) ?? 0,
      };
      terms.set(market.conditionId, found);
      return found;
    },
  };
}

function contractOf(protocol: Protocol, negRisk: boolean): Address {
  if (protocol === 'v2') {
    return EXCHANGE_V3;
  }
  return negRisk ? NEG_RISK_EXCHANGE : EXCHANGE;
}

/** @returns micro-dollars, rounded down to 0.00001 dollars. With a fractional exponent the power is computed to twelve places. */
export function takerFeeMicros({ rateMicros, exponent }: FeeCurve, priceMicros: bigint, sharesMicros: bigint): bigint {
  const variance = priceMicros * (ONE_DOLLAR_MICROS - priceMicros);
  const power = Number.isInteger(exponent)
    ? variance ** BigInt(exponent) * VARIANCE_SCALE
    : BigInt(Math.round((Number(variance) / Number(VARIANCE_SCALE)) ** exponent * Number(VARIANCE_SCALE)));
  const scale = VARIANCE_SCALE * (Number.isInteger(exponent) ? VARIANCE_SCALE ** BigInt(exponent) : 1n);
  const exact = (sharesMicros * rateMicros * power) / (ONE_DOLLAR_MICROS * scale);
  return exact - (exact % FEE_STEP_MICROS);
}

/** @returns all that a taker pays in addition to the price, and the part of it that the builder earns, in micro-dollars */
export function takerFeeOf(
  { fee, builderBps }: FeeTerms,
  priceMicros: bigint,
  sharesMicros: bigint,
): { readonly feeMicros: bigint; readonly earnedMicros: bigint } {
  const earnedMicros = builderFeeMicros(builderBps, priceMicros, sharesMicros);
  return { feeMicros: takerFeeMicros(fee, priceMicros, sharesMicros) + earnedMicros, earnedMicros };
}

const sentTerms = z.strictObject({
  rateMicros: z
    .string()
    .regex(/^[0-9]{1,7}$/)
    .transform(BigInt),
  exponent: z.number(),
  builderBps: z.number(),
});

type FeeTerms = Pick<TradingTerms, 'fee' | 'builderBps'>;

/** The terms on which fees depend, as they are stored with an order. */
export function writeFeeTerms({ fee: { rateMicros, exponent }, builderBps }: FeeTerms): string {
  return JSON.stringify({ rateMicros: String(rateMicros), exponent, builderBps });
}

/** The current terms, with the fees of an order's own terms: rates change, and an order pays the rate at which it was sent. */
export function withFeeTerms(venue: string, terms: TradingTerms, stored: string | undefined): TradingTerms {
  if (stored === undefined) {
    return terms;
  }
  const { builderBps, ...fee } = expectShape(venue, 'terms of the order', sentTerms, jsonOf(stored));
  return { ...terms, fee, builderBps };
}

export function tokenOf(terms: MarketTokens, side: SentOrder['side']): string {
  return side === 'YES' ? terms.yes : terms.no;
}
