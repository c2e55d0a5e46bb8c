/**
 * Issues a quote: it is priced in memory, then verified and written by one statement (contract 9.1). The process remembers its quotes
 * of buys, so that an order on one is decided without a read.
 */
import { type Batcher, createBatcher } from '../../core/batcher.ts';
import { type ErrorCode, Refusal, refuse } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Action, Side } from '../../core/terms.ts';
import type { Clock } from '../../core/time.ts';
import type { Sql } from '../../db/client.ts';
import { bigint, boolean, integer, jsonb, optional, type RowOf, type RowType, rowOf, text } from '../../db/row-type.ts';
import { callByShard } from '../../db/shards.ts';
import type { Board } from '../../markets/board/board.ts';
import { type KnownMarket, readMarkets } from '../../markets/known-markets.ts';
import { readContracts } from '../../money/sell.ts';
import type { Operator } from '../../operators/operator.ts';
import { checkOffering, type Offering } from '../../risk/offering.ts';
import type { HoldingVenues } from '../positions.ts';
import { type BrokenLimits, codeToRefusal, withPassableStake } from '../refusals.ts';
import {
  holdSeconds,
  type PricedQuote,
  priceQuote,
  type Quote,
  type QuotedLevel,
  type QuoteRequest,
} from './price-quote.ts';
import type { RoutingReason } from './routing.ts';

/** The trading customer of an operator, and the events that this customer is offered. */
export interface Trader {
  readonly operator: Operator;
  readonly externalUserId: string;
  /** The operator's policy, narrowed by the book of an embed session. */
  readonly offering: Offering;
}

/** @param bookEventIds events of the book that an embed session is bound to; null if there is none */
export function traderOf(
  operator: Operator,
  externalUserId: string,
  bookEventIds: readonly string[] | null = null,
): Trader {
  const eventIds = bookEventIds === null ? null : new Set(bookEventIds);
  return { operator, externalUserId, offering: { categories: operator.offerCategories, eventIds } };
}

export interface IssueQuotePorts {
  readonly board: Board;
  readonly clock: Clock;
  readonly issue: IssueQuotes;
  readonly memory: QuoteMemory;
  readonly holdingVenues: HoldingVenues;
  /** Whether this deployment can send orders to the venue. */
  readonly trades: (venue: string) => boolean;
}

/** How often a quote is priced before it is refused as unverified, because the committed book was newer each time. */
const PRICE_ATTEMPTS = 6;

/**
 * @returns the quote, which is bound for its holding time
 * @throws the refusal of the market, of the jurisdiction or of a limit; price_unverified if the book changed during every attempt
 */
export async function issueQuote(ports: IssueQuotePorts, trader: Trader, request: QuoteRequest): Promise<Quote> {
  const simulated = trader.operator.mode === 'sandbox';
  const venues = request.action === 'sell' && !simulated ? await exitVenues(ports, trader, request) : null;
  for (let attempt = 0; attempt < PRICE_ATTEMPTS; attempt += 1) {
    const quoteId = newId('qt');
    const priced = priceOffered(ports, trader, request, venues);
    const command = toCommand(ports.board, trader, request, quoteId, simulated, priced);
    const verdict = await ports.issue(command);
    if (verdict.code === 'book_changed') {
      await ports.board.refresh();
      continue;
    }
    if (verdict.code !== null || priced instanceof Refusal) {
      const contract = ports.board.contracts.get(request.contractId);
      throw withPassableStake(toRefusal(verdict, priced), contract, trader.operator.platformFeeBps);
    }
    const quote = {
      ...priced.terms,
      quoteId,
      contractId: request.contractId,
      expiresAt: verdict.expiresAt,
      simulated,
      freshness: priced.freshness,
      routing: priced.routing,
    };
    ports.memory.keep(trader, quote, priced.venue);
    return quote;
  }
  throw refuse('price_unverified');
}

/**
 * The venues on whose books a live exit is priced: those that hold enough of the contracts. If none holds enough, it is priced where
 * any are held, and the statement then refuses it.
 * @returns null if no live contracts are held: the contracts may be simulated, and any book prices those
 */
async function exitVenues(
  ports: IssueQuotePorts,
  trader: Trader,
  request: QuoteRequest,
): Promise<readonly string[] | null> {
  const holdings = await ports.holdingVenues(trader, request);
  const contractsMicros = readContracts(request.size);
  const enough = holdings.filter(({ free }) => contractsMicros !== null && free >= contractsMicros);
  const venues = (enough.length > 0 ? enough : holdings).map(({ venue }) => venue);
  return venues.length > 0 ? venues : null;
}

function priceOffered(
  { board, clock, trades }: IssueQuotePorts,
  { operator, offering }: Trader,
  request: QuoteRequest,
  venues: readonly string[] | null,
): PricedQuote | Refusal {
  const tradable = operator.mode === 'live' ? trades : null;
  const priced = priceQuote(board, request, operator.platformFeeBps, clock.now(), venues, tradable);
  const contract = board.contracts.get(request.contractId);
  if (priced instanceof Refusal && priced.code === 'market_not_found') {
    return priced;
  }
  return (contract && checkOffering(offering, contract)) ?? priced;
}

function toCommand(
  board: Board,
  trader: Trader,
  request: QuoteRequest,
  quoteId: string,
  simulated: boolean,
  priced: PricedQuote | Refusal,
): QuoteCommand {
  const contract = board.contracts.get(request.contractId);
  const head = {
    operatorId: trader.operator.operatorId,
    externalUserId: trader.externalUserId,
    quoteId,
    contractId: request.contractId,
    side: request.side,
    action: request.action,
    bookRevision: contract?.bookRevision,
  };
  if (priced instanceof Refusal || contract === undefined) {
    return { ...head, refusal: priced instanceof Refusal ? priced.code : 'market_not_found' };
  }
  const { terms, routing } = priced;
  return {
    ...head,
    priceMicros: terms.priceMicros,
    feeBps: terms.feeBps,
    authorizationMinor: terms.authorizationMinor,
    feeMinor: terms.feeMinor,
    tradeMinor: terms.tradeMinor,
    quantityMicros: terms.quantityMicros,
    holdSeconds: holdSeconds(contract),
    simulated,
    venue: priced.venue,
    routingReason: routing.reason,
    consideredVenues: routing.consideredVenues,
    levels: terms.levels,
  };
}

function toRefusal(verdict: QuoteVerdict, priced: PricedQuote | Refusal): Refusal {
  const { code, limits } = verdict;
  if (code === null || (priced instanceof Refusal && code === priced.code)) {
    return priced instanceof Refusal ? priced : refuse('internal_error');
  }
  return codeToRefusal(code, limits, priced instanceof Refusal ? 0n : priced.terms.authorizationMinor);
}

/** The part of a command that every quote has, priced or refused. */
const HEAD = {
  operatorId: text(),
  externalUserId: text(),
  quoteId: text(),
  contractId: text(),
  side: text<Side>(),
  action: text<Action>(),
};

/** The part that only a priced quote has. Amounts are cents, the price micro-dollars, the quantity micro-contracts. */
const PRICE = {
  priceMicros: bigint(),
  feeBps: integer(),
  authorizationMinor: bigint(),
  feeMinor: bigint(),
  tradeMinor: bigint(),
  quantityMicros: bigint(),
  holdSeconds: integer(),
  simulated: boolean(),
  venue: text(),
  routingReason: text<RoutingReason>(),
  consideredVenues: integer(),
  levels: jsonb<readonly QuotedLevel[]>(),
};

const BASIS = {
  /** The revision of the order book that was read; missing if the contract is not on the board. */
  bookRevision: optional(bigint()),
};

interface QuoteHead extends RowOf<typeof HEAD>, RowOf<typeof BASIS> {}
interface QuotePrice extends RowOf<typeof PRICE> {}

/** A quote as it was decided: priced, or refused by the market. The statement checks the operator and the customer before that refusal. */
type QuoteCommand =
  | (QuoteHead & QuotePrice & { readonly refusal?: undefined })
  | (QuoteHead & Partial<Record<keyof QuotePrice, undefined>> & { readonly refusal: ErrorCode });

export const QUOTE_COMMAND: RowType<QuoteHead & Partial<QuotePrice> & { readonly refusal?: ErrorCode | null }> = rowOf({
  ...HEAD,
  ...PRICE,
  ...BASIS,
  refusal: optional(text<ErrorCode>()),
});

/** A refusal. After `book_changed` the quote is priced again. */
type QuoteCode = ErrorCode | 'limits' | 'jurisdiction' | 'book_changed';

interface QuoteVerdict {
  /** Null if the quote was written. */
  readonly code: QuoteCode | null;
  readonly limits: BrokenLimits | null;
  readonly expiresAt: Date;
}

type IssueQuotes = (command: QuoteCommand) => Promise<QuoteVerdict>;

const MAX_BATCH = 128;
const CONCURRENCY = 2;

/** Quotes that arrive while a statement is running are written together by the next one. */
export function createIssueQuotes(sql: Sql): Batcher<QuoteCommand, QuoteVerdict> {
  return createBatcher<QuoteCommand, QuoteVerdict>(
    (commands) =>
      callByShard(
        sql,
        commands,
        ({ sql: server, schema, operatorId }, own, markets: readonly KnownMarket[] | null) => server<QuoteVerdict[]>`
          select code, limits, expires_at
          from ${server(schema)}.issue_quotes(${operatorId}, ${QUOTE_COMMAND.toArray(own)}::text::quote_command[],
            ${markets === null ? null : [...markets]}::text[]::known_market[]) order by number`,
        (all) =>
          readMarkets(
            sql,
            all.map(({ contractId }) => contractId),
          ),
      ),
    {
      name: 'record quotes',
      maxBatch: MAX_BATCH,
      concurrency: CONCURRENCY,
      retryAlone: true,
    },
  );
}

export interface QuoteMemory {
  keep(trader: Trader, quote: Quote, venue: string): void;
  /** @returns undefined if this process has no such quote of this customer */
  recall(trader: Trader, quoteId: string): RecalledQuote | undefined;
}

/** A quote of a buy, and the venue whose book priced it. */
export interface RecalledQuote {
  readonly quote: Quote;
  readonly venue: string;
}

interface Kept extends RecalledQuote {
  readonly operatorId: string;
  readonly externalUserId: string;
}

/** Two generations are many times the quotes that are open at once: a quote expires after seconds. */
const GENERATION = 8_192;

/**
 * Keeps the buys that this process quoted. A sell is not kept, because it depends on a position. Whatever may change after the quote
 * (its customer, an order on it, a scenario, its expiry) is verified by the money statement.
 */
export function createQuoteMemory(): QuoteMemory {
  let newer = new Map<string, Kept>();
  // Dropped as a whole when the newer generation is full. No quote is removed alone, because most are never recalled.
  let older = newer;
  return {
    keep: ({ operator, externalUserId }, quote, venue) => {
      if (quote.action !== 'buy') {
        return;
      }
      if (newer.size === GENERATION) {
        older = newer;
        newer = new Map();
      }
      newer.set(quote.quoteId, { operatorId: operator.operatorId, externalUserId, quote, venue });
    },
    recall: ({ operator, externalUserId }, quoteId) => {
      const kept = newer.get(quoteId) ?? older.get(quoteId);
      const isTheirs = kept?.operatorId === operator.operatorId && kept.externalUserId === externalUserId;
      return isTheirs ? { quote: kept.quote, venue: kept.venue } : undefined;
    },
  };
}
