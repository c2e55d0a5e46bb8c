/** Our account at Gemini: the exchange's clock, orders and fills since a moment, positions and cash. */
import type { GeminiSettings } from '../../core/venue-settings.ts';
import { said, type Verdict } from '../adapter.ts';
import {
  type AccountCheck,
  isOurId,
  type Note,
  type VenueAccount,
  type VenueFill,
  type VenueOrder,
  type VenuePosition,
} from '../port.ts';
import { expectShape, microsDecimal } from '../shapes.ts';
import { openGeminiStream } from './books.ts';
import {
  asVenueOrder,
  fillsOf,
  type GeminiLists,
  HISTORY_PATH,
  readTrades,
  TRADES_PATH,
  wasNotLookedAt,
  wordOf,
} from './orders.ts';
import { EVENTS_PATH, type GeminiRest } from './rest.ts';
import {
  type GeminiOrder,
  type GeminiTrade,
  geminiBalances,
  geminiContract,
  geminiEvent,
  geminiOrder,
  geminiOrders,
  geminiPage,
  geminiPositions,
  geminiSettled,
  geminiTerms,
  geminiTrades,
} from './shapes.ts';

const POSITIONS_PATH = '/v1/prediction-markets/positions';
const SETTLED_PATH = '/v1/prediction-markets/positions/settled';
const SETTLED_PAGE = 1_000;
const BALANCES_PATH = '/v1/balances';

export function geminiAccount(
  venue: string,
  rest: GeminiRest,
  lists: GeminiLists,
  note: Note,
  { streamUrl, keyId, url }: Pick<GeminiSettings, 'streamUrl' | 'keyId' | 'url'>,
): VenueAccount {
  async function balanceMicros(): Promise<bigint> {
    const body = await rest.ask(BALANCES_PATH);
    const dollars = expectShape(venue, 'balances', geminiBalances, body).find(({ currency }) => currency === 'USD');
    // an account that never had dollars lists none
    return dollars?.available ?? 0n;
  }

  async function ordersSince(since: Date): Promise<VenueOrder[]> {
    const orders = await lists.ordersSince(since);
    // an order that ended since then may have been filled before
    const first = Math.min(since.getTime(), ...orders.map(({ createdAt }) => createdAt.getTime()));
    const raw = orders.some(({ filledQuantity }) => filledQuantity > 0n)
      ? await lists.tradesSince(new Date(first))
      : [];
    // a trade of an order that names somebody else need not be readable
    const ours = new Set(orders.filter(({ clientOrderId: id }) => !id || isOurId(id)).map(({ orderId }) => orderId));
    const trades = Map.groupBy(
      readTrades(venue, raw, (orderId) => ours.has(orderId)),
      (trade) => trade.order_id,
    );
    return orders.map((order) => {
      const ourId = order.clientOrderId || order.orderId;
      return asVenueOrder(order, fillsOf(order, trades.get(order.orderId) ?? [], ourId, note), note);
    });
  }

  const account = {
    serverTime: () => rest.serverTime(),
    ordersSince,
    async fillsSince(since) {
      // the orders are read after the trades, so that each trade has its order
      const raw = await lists.tradesSince(since);
      const orders = await ordersSince(since);
      const known = new Set(orders.map(({ venueOrderId }) => venueOrderId));
      const fills = orders.flatMap((order) => order.fills).filter(({ occurredAt }) => occurredAt >= since);
      const others = readTrades(venue, raw, () => false);
      return [...fills, ...others.filter(({ order_id: orderId }) => !known.has(orderId)).map(foreignFill)];
    },
    async positions() {
      const { positions } = expectShape(venue, 'positions', geminiPositions, await rest.ask(POSITIONS_PATH));
      const net = Map.groupBy(positions, ({ symbol }) => symbol);
      return [...net].flatMap(([listingId, sides]): VenuePosition[] => {
        const held = sides.reduce(
          (sum, { outcome, totalQuantity }) => (outcome === 'yes' ? sum + totalQuantity : sum - totalQuantity),
          0n,
        );
        return held === 0n
          ? []
          : [{ listingId, side: held > 0n ? 'YES' : 'NO', quantityMicros: held > 0n ? held : -held }];
      });
    },
    balanceMicros,
    async settledSince(since) {
      const settled: string[] = [];
      for (let offset = 0; ; offset += SETTLED_PAGE) {
        const body = await rest.ask(SETTLED_PATH, {}, { query: `?limit=${SETTLED_PAGE}&offset=${offset}` });
        const { positions } = expectShape(venue, 'settled positions', geminiSettled, body);
        const recent = positions.filter(({ settledAt }) => settledAt >= since);
        settled.push(...recent.map(({ instrumentSymbol }) => instrumentSymbol));
        // the newest come first
        if (positions.length < SETTLED_PAGE || recent.length === 0) {
          return [...new Set(settled)];
        }
      }
    },
    follow: (onChange) =>
      openGeminiStream(
        { url: streamUrl, headers: () => rest.handshake() },
        {
          opened: (connection) => connection.send('SUBSCRIBE', ['orders@account']),
          message: (message) => {
            if (message.kind === 'order') {
              onChange(message.ourId === undefined ? [] : [message.ourId]);
            }
          },
          alive: () => undefined,
          ended: () => undefined,
          invalid: () => undefined,
          note,
        },
      ),
  } satisfies VenueAccount;
  return {
    ...account,
    inspect: () => inspectGemini(venue, rest, account, keyId ?? '', url),
    verify: () => verifyGemini(venue, rest, lists, streamUrl),
  };
}

/** Of an order that is in no list: it is nobody's whom we know. */
function foreignFill(trade: GeminiTrade): VenueFill {
  return {
    fillId: trade.tid,
    ourId: trade.order_id,
    listingId: trade.symbol ?? '',
    quantityMicros: trade.amount,
    priceMicros: trade.price,
    feeMicros: null,
    occurredAt: new Date(trade.timestampms),
  };
}

const MOST_SKEW_MS = 2_000;
const TERMS_PATH = '/v1/prediction-markets/terms/status';

/** What `doctor` says of our account at Gemini: clock, key, terms and balance, in one line each. */
async function inspectGemini(
  venue: string,
  rest: GeminiRest,
  account: Pick<VenueAccount, 'balanceMicros'>,
  keyId: string,
  url: string,
): Promise<readonly AccountCheck[]> {
  return [await said('clock', () => clock(rest)), await said('terms', terms), ...(await keyAndBalance())];

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

  /** One question answers for both. */
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

async function clock(rest: GeminiRest): Promise<Verdict> {
  const offset = (await rest.serverTime()).getTime() - Date.now();
  const ok = Math.abs(offset) <= MOST_SKEW_MS;
  const detail = `${offset} ms from that of this machine`;
  return { ok, detail: ok ? detail : `${detail}; nothing is sent beyond ${MOST_SKEW_MS} ms: set the clock (NTP)` };
}

/** It changes nothing. */
const HEARTBEAT_PATH = '/v1/heartbeat';
const STREAM_MS = 4_000;
/** Of the last orders in the history. */
const LOOKED_AT = 50;

/**
 * What no document of Gemini settles, and one question does: `doctor --venues`. It only reads, and sends no order. What only an order
 * could tell (whether one carries our id over REST, when it is in the history) shows at the first one.
 *
 * @param streamUrl origin of the stream
 */
async function verifyGemini(
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
      ? { ok: true, detail: 'requests of one second are all taken' }
      : {
          ok: false,
          detail: `of two requests in one second one is refused (${wordOf(refused.body)}): the key needs a time-based nonce`,
        };
  }

  async function events(): Promise<Verdict> {
    const { data, pagination } = await openEvents();
    const detail = `${pagination?.total ?? data.length} events are open`;
    return data.length > 0 ? { ok: true, detail } : { ok: false, warning: true, detail: 'no event is open here' };
  }

  async function orderIds(): Promise<Verdict> {
    const orders = await lastOrders();
    const ours = orders.filter(({ clientOrderId }) => isOurId(clientOrderId ?? '')).length;
    const nameless = orders.filter(({ clientOrderId }) => !clientOrderId).length;
    const detail = `of the last ${orders.length} orders ${ours} carry an id of ours, ${nameless} carry none`;
    return nameless === 0
      ? { ok: true, detail }
      : { ok: false, warning: true, detail: `${detail}: what is not found beside one of those stays unknown` };
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
      return { ok: false, warning: true, detail: 'no contract is open whose book could be asked for' };
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
    const silence = setTimeout(() => answer.resolve('nothing comes of it'), STREAM_MS);
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
