/** Prices a request for a quote on the books of the board, or finds the refusal of the market; and renders a quote (contract 9.4). Pure. */
import { type Refusal, refuse } from '../../core/errors.ts';
import type { Action, Side } from '../../core/terms.ts';
import type { Board } from '../../markets/board/board.ts';
import { areHalted, readHaltedVenues } from '../../markets/board/board-state.ts';
import type { BoardContract, Book } from '../../markets/event.ts';
import { operatorExitMoney, quoteMoney } from '../../money/blocks.ts';
import type { Level } from '../../money/book.ts';
import { type BuyRefusal, decideBuyQuote, readStake } from '../../money/buy.ts';
import { CENT, jsonNumber, MICRO_SCALE, MICROS_PER_CENT, MINOR_SCALE, ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import { type TakerFee, takerFee } from '../../money/live-plan.ts';
import { decideSell } from '../../money/sell.ts';
import { formatMinor } from '../../money/usd.ts';
import type { Quote as WireQuote } from '../../wire/quote.ts';
import { candidateBooks, canTake, classifyFreshness, type Freshness, type Routing } from './routing.ts';

export interface QuoteRequest {
  readonly contractId: string;
  readonly side: Side;
  readonly action: Action;
  /** Dollars for a buy, contracts for a sell, as the number stood in the JSON. */
  readonly size: number;
}

/** The terms of a quote: amounts in cents, the price in micro-dollars, the quantity in micro-contracts. A sell authorises nothing. */
interface QuoteTerms {
  readonly side: Side;
  readonly action: Action;
  readonly priceMicros: bigint;
  readonly feeBps: number;
  readonly authorizationMinor: bigint;
  readonly feeMinor: bigint;
  /** The trade amount of a buy (T in contract 2.6), the notional of a sell. */
  readonly tradeMinor: bigint;
  readonly quantityMicros: bigint;
  /** The payout of a buy that wins, or the proceeds of a sell. */
  readonly payoutMinor: bigint;
  readonly levels: readonly QuotedLevel[];
}

/** A level of the book that a quote takes, best first: price and quantity of its side, in millionths as text. */
export type QuotedLevel = readonly [priceMicros: string, quantityMicros: string];

/** A quote that was issued, bound for its holding time. */
export interface Quote extends QuoteTerms {
  readonly quoteId: string;
  readonly contractId: string;
  readonly expiresAt: Date;
  readonly simulated: boolean;
  readonly freshness: Freshness;
  readonly routing: Routing;
}

export interface PricedQuote {
  readonly terms: QuoteTerms;
  readonly venue: string;
  readonly routing: Routing;
  readonly freshness: Freshness;
}

/**
 * @param feeBps basis points of the platform fee
 * @param venues venues whose books may price an exit, because they hold its contracts; null for all candidates
 * @param trades whether an order can be sent to a venue: only such venues price a live operator's quote (contract 19.4); null for all
 * @returns the priced quote, or the refusal of the market
 * @throws invalid_request if the size itself is not acceptable
 */
export function priceQuote(
  board: Board,
  request: QuoteRequest,
  feeBps: number,
  now: Date,
  venues: readonly string[] | null,
  trades: ((venue: string) => boolean) | null,
): PricedQuote | Refusal {
  const contract = board.contracts.get(request.contractId);
  if (request.action === 'buy' && readStake(request.size) === null) {
    throw refuseSize('stake', 'a number of dollars from 0.01 to 10,000,000.00');
  }
  if (contract === undefined) {
    return refuse('market_not_found');
  }
  // The statement decides whether closesAt has passed, by the database's clock.
  if (contract.status !== 'open' || contract.tradingClosed) {
    return refuseStopped(contract);
  }
  const stakeMicros = request.action === 'buy' ? (readStake(request.size) ?? 0n) * MICROS_PER_CENT : 0n;
  const eligible =
    trades === null
      ? contract
      : {
          ...contract,
          books: contract.books.filter((book) => trades(book.venue) && canTake(board, book, stakeMicros)),
        };
  const { books, routing } = candidateBooks(eligible);
  const held = venues === null ? books : eligible.books.filter((book) => venues.includes(book.venue));
  const priced = held.map((book) => priceOn(board, contract, book, request, feeBps, now));
  const quotes = priced.filter((answer) => 'terms' in answer);
  if (quotes.length === 0) {
    const offered =
      venues === null ? candidateBooks(contract).books : contract.books.filter((book) => venues.includes(book.venue));
    const halted = trades && readHaltedVenues(board.feeds, trades);
    const mayNotSend = halted !== null && areHalted(offered, halted);
    return (
      priced.find((answer) => 'refusal' in answer)?.refusal ??
      refuse(mayNotSend ? 'trading_paused' : 'line_not_available')
    );
  }
  const best = quotes.reduce((leader, quote) => (quote.worth > leader.worth ? quote : leader));
  return {
    terms: best.terms,
    venue: best.venue,
    freshness: best.freshness,
    routing: routingAmong(held, routing, venues),
  };
}

/** The refusal of a contract that does not trade, for now or any more (contract 9.14). */
function refuseStopped({ status }: Pick<BoardContract, 'status'>): Refusal {
  if (status === 'paused') {
    return refuse('market_paused');
  }
  return status === 'resolved' || status === 'voided'
    ? refuse('market_not_open', `The market is ${status}; open positions settle by its result.`)
    : refuse('market_not_open', 'The market has closed.');
}

/** Counts the books that the choice was really made from: an exit has only those of the venues that hold its contracts. */
function routingAmong(held: readonly Book[], routing: Routing, venues: readonly string[] | null): Routing {
  if (venues === null) {
    return routing;
  }
  return { ...routing, consideredVenues: held.length, reason: held.length > 1 ? routing.reason : 'single_venue' };
}

type Answer =
  | { readonly refusal: Refusal }
  | {
      readonly terms: QuoteTerms;
      readonly venue: string;
      readonly freshness: Freshness;
      /** The customer's gain after the venue's fee, by which books are compared; it is never booked. */
      readonly worth: bigint;
    };

function priceOn(
  board: Board,
  contract: BoardContract,
  book: Book,
  request: QuoteRequest,
  feeBps: number,
  now: Date,
): Answer {
  const { side, action } = request;
  const ladders = { side, bids: book.bids, asks: book.asks };
  const fee = takerFee(book.fee);
  if (action === 'buy') {
    const buy = decideBuyQuote({ ...ladders, stake: request.size, feeBps, venueMinimumMinor: book.minimumMinor });
    if (!buy.ok) {
      return { refusal: toBuyRefusal(buy) };
    }
    const classified = classifyFreshness(board, contract, book, buy.stakeMinor, now);
    if ('refusal' in classified) {
      return classified;
    }
    const terms: QuoteTerms = {
      side,
      action,
      priceMicros: buy.priceMicros,
      feeBps,
      authorizationMinor: buy.stakeMinor,
      feeMinor: buy.platformFeeMinor,
      tradeMinor: buy.tradeMinor,
      quantityMicros: buy.contractsMicros,
      payoutMinor: buy.payoutMinor,
      levels: quotedLevels(buy.levels),
    };
    return { terms, venue: book.venue, freshness: classified.freshness, worth: contractsAfterFee(buy, fee) };
  }
  const sell = decideSell({ ...ladders, contracts: request.size, feeBps });
  if (!sell.ok) {
    if (sell.code === 'invalid_request') {
      throw refuseSize('contracts', 'a number above 0 with up to six places');
    }
    return { refusal: refuse(sell.code) };
  }
  const classified = classifyFreshness(board, contract, book, 0n, now);
  if ('refusal' in classified) {
    return classified;
  }
  const terms: QuoteTerms = {
    side,
    action,
    priceMicros: sell.priceMicros,
    feeBps,
    authorizationMinor: 0n,
    feeMinor: sell.platformFeeMinor,
    tradeMinor: sell.notionalMinor,
    quantityMicros: sell.contractsMicros,
    payoutMinor: sell.proceedsMinor,
    levels: quotedLevels(sell.levels),
  };
  return {
    terms,
    venue: book.venue,
    freshness: classified.freshness,
    worth: sell.proceedsMinor * CENT - fee(sell.priceMicros, sell.contractsMicros),
  };
}

const quotedLevels = (levels: readonly Level[]): QuotedLevel[] =>
  levels.map(({ priceMicros, quantityMicros }) => [`${priceMicros}`, `${quantityMicros}`]);

function toBuyRefusal(refusal: BuyRefusal): Refusal {
  switch (refusal.code) {
    case 'below_venue_minimum': {
      const [trade, minimum, stake] = [refusal.tradeMinor, refusal.minimumMinor, refusal.minStakeMinor].map(
        formatMinor,
      );
      const message = `${trade} would be traded after the fee, and the minimum is ${minimum}: stake at least ${stake}.`;
      return refuse(refusal.code, message);
    }
    case 'stake_exceeds_available_depth':
      return refuse(
        refusal.code,
        undefined,
        refusal.maxStakeMinor === null ? {} : { maxStake: Number(refusal.maxStakeMinor) / 100 },
      );
    default:
      return refuse(refusal.code);
  }
}

function refuseSize(path: 'stake' | 'contracts', range: string): Error {
  return refuse('invalid_request', `${path} is ${range}.`, { detail: [{ path, message: range }] });
}

/** Contracts that the trade amount would buy if the venue's fee were added to the price. */
function contractsAfterFee(buy: { priceMicros: bigint; contractsMicros: bigint }, fee: TakerFee): bigint {
  const cost = buy.priceMicros * ONE_DOLLAR_MICROS;
  return (buy.contractsMicros * cost) / (cost + fee(buy.priceMicros, ONE_DOLLAR_MICROS));
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
