/**
 * The lines of `doctor` about Gemini: whether our account can trade, and with `--venues` facts that only the exchange itself can show. It
 * only reads.
 */
import { clockCheck, said, type Verdict } from '../adapter.ts';
import type { AccountCheck, VenueAccount } from '../port.ts';
import { expectShape, microsDecimal } from '../shapes.ts';
import { openGeminiStream } from './books.ts';
import { fillsOf, type GeminiLists, HISTORY_PATH, ourIdOf, TRADES_PATH, wasNotLookedAt, wordOf } from './orders.ts';
import { EVENTS_PATH, type GeminiRest } from './rest.ts';
import {
  type GeminiOrder,
  geminiContract,
  geminiEvent,
  geminiOrder,
  geminiOrders,
  geminiPage,
  geminiTerms,
  geminiTrades,
} from './shapes.ts';

const TERMS_PATH = '/v1/prediction-markets/terms/status';

/** Clock, terms, key and balance of our account, one line each. */
export async function inspectGemini(
  venue: string,
  rest: GeminiRest,
  account: Pick<VenueAccount, 'balanceMicros'>,
  keyId: string,
  url: string,
): Promise<readonly AccountCheck[]> {
  return [await clockCheck(() => rest.serverTime()), await said('terms', terms), ...(await keyAndBalance())];

  async function terms(): Promise<Verdict> {
    const body = await rest.ask(TERMS_PATH, {}, { method: 'GET' });
    const { hasAcceptedLatest: ok, latestVersion } = expectShape(venue, 'terms', geminiTerms, body);
    const version = latestVersion == null ? '' : ` (version ${latestVersion})`;
    return ok
      ? { ok, detail: `the terms of prediction markets are accepted${version}` }
      : {
          ok,
          detail: `accept the terms of prediction markets${version} at the exchange: until then it refuses orders`,
        };
  }

  /** Key and balance come with one response. */
  async function keyAndBalance(): Promise<AccountCheck[]> {
    try {
      const balance = await account.balanceMicros();
      const detail = `${microsDecimal(balance)} dollars`;
      return [
        { name: 'key', ok: true, detail: `${keyId} is accepted at ${url}` },
        balance > 0n
          ? { name: 'balance', ok: true, detail }
          : { name: 'balance', ok: false, warning: true, detail: `${detail}: nothing can be bought` },
      ];
    } catch (error) {
      const detail = `${keyId} cannot be used: ${(error as Error).message}; it must be a key of one account with a time-based nonce and the role Trader, and INLAY_GEMINI_SECRET_FILE must hold its secret`;
      return [{ name: 'key', ok: false, detail }];
    }
  }
}

/** A signed request that changes nothing. */
const HEARTBEAT_PATH = '/v1/heartbeat';
const STREAM_MS = 4_000;
/** How many of the last orders are examined. */
const LOOKED_AT = 50;

/**
 * Checks facts that Gemini's documents leave open, for `doctor --venues`. Questions that need an order (whether it carries our id over
 * REST, when it appears in the history) are answered by the first order.
 *
 * @param streamUrl origin of the stream
 */
export async function verifyGemini(
  venue: string,
  rest: GeminiRest,
  lists: GeminiLists,
  streamUrl: string,
): Promise<readonly AccountCheck[]> {
  async function openEvents() {
    const { body } = await rest.get(`${EVENTS_PATH}?status=active&limit=1`);
    return expectShape(venue, 'events', geminiPage, body);
  }

  async function lastOrders(): Promise<GeminiOrder[]> {
    const body = await rest.ask(HISTORY_PATH, { limit: LOOKED_AT });
    return expectShape(venue, 'orders', geminiOrders, body).orders.map((one) =>
      expectShape(venue, 'order', geminiOrder, one),
    );
  }

  /** Two requests in the same second carry the same nonce. */
  async function nonce(): Promise<Verdict> {
    const answers = await Promise.all([rest.call(HEARTBEAT_PATH), rest.call(HEARTBEAT_PATH)]);
    const refused = answers.find(({ status, body }) => wasNotLookedAt(status, body));
    return refused === undefined
      ? { ok: true, detail: 'all requests of the same second are accepted' }
      : {
          ok: false,
          detail: `one of two requests of the same second is refused (${wordOf(refused.body)}): the key needs a time-based nonce`,
        };
  }

  async function events(): Promise<Verdict> {
    const { data, pagination } = await openEvents();
    const detail = `${pagination?.total ?? data.length} events are open`;
    return data.length > 0
      ? { ok: true, detail }
      : { ok: false, warning: true, detail: 'no event is open at the exchange' };
  }

  async function orderIds(): Promise<Verdict> {
    const orders = await lastOrders();
    const ours = orders.filter((one) => ourIdOf(one) !== undefined).length;
    const detail = `of the last ${orders.length} orders ${ours} carry an id of ours`;
    return ours > 0
      ? { ok: true, detail }
      : {
          ok: false,
          warning: true,
          detail: `not proven: ${detail}; an order is recognised by its terms, and stays unknown while another order at the exchange has the same`,
        };
  }

  async function fills(): Promise<Verdict> {
    const filled = (await lastOrders()).find(({ filledQuantity }) => filledQuantity > 0n);
    if (filled === undefined) {
      expectShape(venue, 'trades', geminiTrades, await rest.ask(TRADES_PATH, { limit_trades: 1 }));
      return {
        ok: true,
        detail: 'trades can be read; whether those of prediction markets are among them shows once one is filled',
      };
    }
    const trades = await lists.tradesOf(filled.orderId, filled.symbol, filled.createdAt);
    const read = fillsOf(filled, trades, filled.orderId, () => undefined);
    const fees = read?.every(({ feeMicros }) => feeMicros !== null) === true;
    const detail = `order ${filled.orderId}: ${trades.length} trades, ${read === undefined ? 'which do not add up to it' : 'which add up to it'}, ${fees ? 'with their fees' : 'without a fee that can be read'}`;
    return { ok: fees, detail };
  }

  /** Whether the first message about a book is the whole book. */
  async function stream(): Promise<Verdict> {
    const event = geminiEvent.safeParse((await openEvents()).data[0]).data;
    const symbol = geminiContract.safeParse(event?.contracts?.[0]).data?.instrumentSymbol;
    if (symbol === undefined) {
      return { ok: false, warning: true, detail: 'no contract is open, so no book was requested' };
    }
    const answer = Promise.withResolvers<string>();
    const socket = openGeminiStream(
      { url: streamUrl },
      {
        opened: (connection) => connection.send('SUBSCRIBE', [`${symbol}@depth`]),
        message: (message) =>
          message.kind === 'depth' &&
          answer.resolve(`its first message has ${message.bids.length} bids and ${message.asks.length} asks`),
        alive: () => undefined,
        ended: (reason) => answer.reject(new Error(reason)),
        invalid: () => undefined,
        note: () => undefined,
      },
    );
    const silence = setTimeout(() => answer.resolve('no message arrives'), STREAM_MS);
    try {
      return { ok: true, detail: `the book of ${symbol}: ${await answer.promise}` };
    } finally {
      clearTimeout(silence);
      socket.close();
    }
  }

  return Promise.all([
    said('nonce', nonce),
    said('events', events),
    said('order ids', orderIds),
    said('fills', fills),
    said('stream', stream),
  ]);
}
