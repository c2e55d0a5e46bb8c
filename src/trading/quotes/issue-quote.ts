/** Issues a quote: priced in memory, verified and written by one statement (contract 9.1). */

import { Refusal, refuse } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Clock } from '../../core/time.ts';
import type { Board } from '../../markets/board/board.ts';
import { readContracts } from '../../money/sell.ts';
import { checkOffering } from '../../risk/offering.ts';
import type { HoldingVenues } from '../positions/positions.ts';
import { codeToRefusal, withPassableStake } from '../refusals.ts';
import type { Trader } from '../trader.ts';
import { type PricedQuote, priceQuote, type QuoteRequest } from './price-quote.ts';
import { holdSeconds, type Quote } from './quote.ts';
import type { QuoteMemory } from './quote-memory.ts';
import type { IssueQuotes, QuoteCommand, QuoteVerdict } from './quotes.ts';

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
