/** Issues a quote: priced in memory, verified and written by one statement (contract 9.1). */
import { type Batcher, createBatcher } from '../../core/batcher.ts';
import { type ErrorCode, Refusal, refuse } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Action, Side } from '../../core/terms.ts';
import type { Clock } from '../../core/time.ts';
import { callByOperator } from '../../db/by-operator.ts';
import type { Sql } from '../../db/client.ts';
import { rowType } from '../../db/row-type.ts';
import type { Board } from '../../markets/board/board.ts';
import { readContracts } from '../../money/sell.ts';
import { checkOffering } from '../../risk/offering.ts';
import type { OrderContext } from '../orders/order.ts';
import type { HoldingVenues } from '../positions.ts';
import { type BrokenLimits, codeToRefusal, withPassableStake } from '../refusals.ts';
import type { Trader } from '../trader.ts';
import { holdSeconds, type PricedQuote, priceQuote, type Quote, type QuoteRequest } from './price-quote.ts';
import type { RoutingReason } from './routing.ts';

export interface IssueQuotePorts {
  readonly board: Board;
  readonly clock: Clock;
  readonly issue: IssueQuotes;
  readonly memory: QuoteMemory;
  readonly holdingVenues: HoldingVenues;
  /** Whether orders can be sent to a venue. */
  readonly trades: (venue: string) => boolean;
}

/** How often a quote is priced again because the committed book was newer, before it is called unverified. */
const PRICE_ATTEMPTS = 6;

/**
 * @returns the quote, bound for its holding time.
 * @throws the market's, jurisdiction's or limits' refusal; price_unverified if the book changed during every attempt.
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
 * Where a live exit is quoted: venues that hold enough of it; else those that hold any, where the statement refuses it. With
 * no live contracts at all it may be of simulated ones, which any book prices.
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
  const book = contract.books.find((candidate) => candidate.venue === priced.venue);
  return {
    ...head,
    priceMicros: terms.priceMicros,
    feeBps: terms.feeBps,
    authorizationMinor: terms.authorizationMinor,
    feeMinor: terms.feeMinor,
    tradeMinor: terms.tradeMinor,
    quantity: terms.quantityMicros,
    payoutMinor: terms.payoutMinor,
    holdSeconds: holdSeconds(contract),
    simulated,
    venue: priced.venue,
    routingReason: routing.reason,
    consideredVenues: routing.consideredVenues,
    routable: routing.routable,
    book: { bids: topLevels(book?.bids ?? []), asks: topLevels(book?.asks ?? []) },
  };
}

const KEPT_LEVELS = 3;

/** The book at that moment, for support: the best levels of each side as price and quantity in millionths. */
function topLevels(levels: readonly { priceMicros: bigint; quantityMicros: bigint }[]): string[][] {
  return levels.slice(0, KEPT_LEVELS).map((level) => [level.priceMicros.toString(), level.quantityMicros.toString()]);
}

function toRefusal(verdict: QuoteVerdict, priced: PricedQuote | Refusal): Refusal {
  const { code, limits } = verdict;
  if (code === null || (priced instanceof Refusal && code === priced.code)) {
    return priced instanceof Refusal ? priced : refuse('internal_error');
  }
  return codeToRefusal(code, limits, priced instanceof Refusal ? 0n : priced.terms.authorizationMinor);
}

// Where quotes are kept. Quotes that arrive while a statement is running are written together by the next one.

/** What every quote has, priced or refused. */
interface QuoteHead {
  readonly operatorId: string;
  readonly externalUserId: string;
  readonly quoteId: string;
  readonly contractId: string;
  readonly side: Side;
  readonly action: Action;
  /** The revision of the book that was read; missing if the contract is not on the board. */
  readonly bookRevision?: bigint;
}

/** What a priced quote adds. Amounts are cents, the price micro-dollars, the quantity micro-contracts. */
interface QuotePrice {
  readonly priceMicros: bigint;
  readonly feeBps: number;
  readonly authorizationMinor: bigint;
  readonly feeMinor: bigint;
  readonly tradeMinor: bigint;
  readonly quantity: bigint;
  readonly payoutMinor: bigint;
  readonly holdSeconds: number;
  readonly simulated: boolean;
  readonly venue: string;
  readonly routingReason: RoutingReason;
  readonly consideredVenues: number;
  readonly routable: boolean;
  /** The best levels of each side, price and quantity in millionths as text. */
  readonly book: { readonly bids: readonly string[][]; readonly asks: readonly string[][] };
}

/** A quote as it was decided: priced, or refused by the market. The statement checks operator and customer before that refusal. */
type QuoteCommand =
  | (QuoteHead & QuotePrice & { readonly refusal?: undefined })
  | (QuoteHead & Partial<Record<keyof QuotePrice, undefined>> & { readonly refusal: ErrorCode });

export const QUOTE_COMMAND = rowType<QuoteHead & Partial<QuotePrice> & { readonly refusal?: ErrorCode | undefined }>({
  operatorId: 'text',
  externalUserId: 'text',
  quoteId: 'text',
  contractId: 'text',
  side: 'text',
  action: 'text',
  priceMicros: 'bigint',
  feeBps: 'integer',
  authorizationMinor: 'bigint',
  feeMinor: 'bigint',
  tradeMinor: 'bigint',
  quantity: 'bigint',
  payoutMinor: 'bigint',
  holdSeconds: 'integer',
  simulated: 'boolean',
  venue: 'text',
  routingReason: 'text',
  consideredVenues: 'integer',
  routable: 'boolean',
  book: 'jsonb',
  bookRevision: 'bigint',
  refusal: 'text',
});

/** A refusal; `book_changed` asks to price the quote again. */
export type QuoteCode = ErrorCode | 'limits' | 'jurisdiction' | 'book_changed';

interface QuoteVerdict {
  /** Null if the quote was written. */
  readonly code: QuoteCode | null;
  readonly limits: BrokenLimits | null;
  readonly expiresAt: Date;
}

type IssueQuotes = (command: QuoteCommand) => Promise<QuoteVerdict>;

const MAX_BATCH = 128;
const CONCURRENCY = 2;

export function createIssueQuotes(sql: Sql): Batcher<QuoteCommand, QuoteVerdict> {
  return createBatcher<QuoteCommand, QuoteVerdict>(
    (commands) =>
      callByOperator(
        sql,
        commands,
        (operatorId, own) => sql<QuoteVerdict[]>`
          select code, limits, expires_at
          from issue_quotes(${operatorId}, ${QUOTE_COMMAND.toArray(own)}::text::quote_command[]) order by number`,
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
  /** What a first order on this quote is decided on, where no scenario waits for it. */
  recall(trader: Trader, quoteId: string): OrderContext | undefined;
}

/** Two generations are many times the quotes that are open at once: a quote expires after seconds. */
const GENERATION = 8_192;

interface Kept {
  readonly operatorId: string;
  readonly externalUserId: string;
  readonly quote: Quote;
  readonly venue: string;
}

const NO_POSITION = {
  positionId: null,
  positionQuantity: 0n,
  costBasisMinor: 0n,
  entryFeesMinor: 0n,
  priceWeight: '0',
  averagePriceMicros: 0n,
  positionVersion: 0n,
};

/**
 * The buys that this process quoted, so that an order on one is decided without a read. What may have changed since (the key,
 * the customer, a scenario, the quote spent or expired) is verified by the money statement. Sells depend on a position and are always read.
 */
export function createQuoteMemory(): QuoteMemory {
  let newer = new Map<string, Kept>();
  // dropped as a whole when the newer one is full: no quote is taken out alone, and most are never asked for
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
      return isTheirs ? toContext(kept.quote, kept.venue) : undefined;
    },
  };
}

function toContext(quote: Quote, venue: string): OrderContext {
  return {
    ...NO_POSITION,
    customerSuspended: false,
    existingOrderId: null,
    quoteId: quote.quoteId,
    contractId: quote.contractId,
    side: quote.side,
    action: quote.action,
    priceMicros: quote.priceMicros,
    feeBps: quote.feeBps,
    authorizationMinor: quote.authorizationMinor,
    feeMinor: quote.feeMinor,
    tradeMinor: quote.tradeMinor,
    quantity: quote.quantityMicros,
    simulated: quote.simulated,
    venue,
    routingReason: quote.routing.reason,
    consideredVenues: quote.routing.consideredVenues,
    scenarioId: null,
    fillFraction: null,
    fillAmountMinor: null,
  };
}
