/**
 * The stream of the emulated exchange: signed WebSockets that receive books by numbered snapshots and deltas, fills, orders, and states
 * of markets. It compares the state with what it last sent and never changes it; faults lose a message, end connections, or fall silent.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { WebSocket } from 'ws';
import { createStreamServer, type StreamFault } from '../../exchange/stream-server.ts';
import { jsonOf } from '../../venues/shapes.ts';
import { decimal, renderBook, renderOrder, renderStreamFill } from './render.ts';
import { type Asked, streamCommand } from './requests.ts';
import { seriesOf } from './series.ts';
import { type Account, accountsOf, type ExchangeState, type Fill, type Market } from './state.ts';

const PATH = '/trade-api/ws/v2';
const PING_MS = 10_000;
const CENT = 10_000n;
/** Longer than a client waits. */
const SILENT_MS = 8_000;

type KalshiFault = StreamFault | 'crossed' | Refused;
/** `busy` refuses the next two commands as too many; the others refuse one, with an error that the exchange retired in September 2026. */
type Refused = 'busy' | 'already' | 'internal';
const REFUSED: Readonly<Record<Refused, readonly [code: number, msg: string]>> = {
  busy: [27, 'Too many requests'],
  already: [6, 'Already subscribed'],
  internal: [17, 'Internal error'],
};

interface StreamLimits {
  /** Markets that one subscription may have. */
  readonly mostMarkets?: number | undefined;
  /** Markets that a subscription accepts but never reports. */
  readonly silent: readonly string[];
  /** Whether a refusal names the unknown market. */
  readonly namesMarket: boolean;
}

/** `lie` reports another price and fee, `double` each fill twice, `reorder` the last first, and `drop` loses the first. */
interface FillFault {
  readonly fault: 'lie' | 'double' | 'reorder' | 'drop';
  /** Share of the reports that it meets, 0 to 1. */
  readonly share: number;
}

export interface EmulatedStream {
  /** Sends the changes since the last call. */
  publish(): void;
  fault(fault: KalshiFault): void;
  limit(limits: StreamLimits): void;
  /** Disturbs the reports of fills from now on. */
  disturbFills(fault: FillFault): void;
  /** Sends any message on the lifecycle channel. */
  say(type: string, msg: object): void;
  close(): void;
}

interface Subscription {
  readonly sid: number;
  readonly channel: string;
  readonly tickers: Set<string>;
  seq: number;
}

interface Client {
  readonly socket: WebSocket;
  readonly keyId: string;
  /** By their numbers. */
  readonly subscriptions: Map<number, Subscription>;
  /** How many fills of each account it has received. */
  readonly fills: Map<Account, number>;
  readonly orders: Map<string, string>;
}

/**
 * @param accountOf finds the account of a request whose signature of that path is valid
 * @param chance 0 to below 1
 */
export function openEmulatedStream(
  server: Server,
  state: ExchangeState,
  accountOf: (request: IncomingMessage, path: string) => Asked['account'],
  chance: () => number,
): EmulatedStream {
  const sockets = createStreamServer<Client>();
  const { clients } = sockets;
  const shown = new Map<string, Shown>();
  /** The fee of each event that overrides the fee of its series. */
  const shownEvents = new Map<string, string>();
  let sids = 0;
  let loseUnseen = 0;
  /** How the next commands are refused. */
  const refused: Refused[] = [];
  let fillFault: FillFault | undefined;
  let limits: StreamLimits = { silent: [], namesMarket: true };
  const most = () => limits.mostMarkets ?? Number.POSITIVE_INFINITY;

  sockets.attach(server, {
    admit(request) {
      const account = request.url === PATH ? accountOf(request, PATH) : undefined;
      return account === undefined ? '401 Unauthorized' : (socket) => newClient(socket, account);
    },
    received: command,
  });

  function newClient(socket: WebSocket, { keyId }: NonNullable<Asked['account']>): Client {
    const accounts = accountsOf(state, keyId);
    const known = accounts.flatMap(({ orders }) => [...orders.values()]);
    const orders = new Map(known.map((order) => [order.orderId, stampOf(order)]));
    const fills = new Map(accounts.map((account) => [account, account.fills.length]));
    return { socket, keyId, subscriptions: new Map(), fills, orders };
  }

  function command(client: Client, text: string): void {
    const read = streamCommand.safeParse(jsonOf(text));
    if (!read.success) {
      send(client, { id: 0, type: 'error', msg: { code: 5, msg: 'Unknown command' } });
      return;
    }
    const { id, cmd, params } = read.data;
    const refuse = (code: number, msg: string, more: object = {}) =>
      send(client, { id, type: 'error', msg: { code, msg, ...more } });
    const next = refused.shift();
    if (next !== undefined) {
      refuse(...REFUSED[next]);
      return;
    }
    const adds = cmd === 'subscribe' || params.action === 'add_markets';
    const tickers = (params.market_tickers ?? []).filter((ticker) => !limits.silent.includes(ticker));
    const unknown = adds ? tickers.find((ticker) => !state.markets.has(ticker)) : undefined;
    if (unknown !== undefined) {
      // the command has no effect
      refuse(16, 'Market not found', limits.namesMarket ? { market_ticker: unknown } : {});
      return;
    }
    if (cmd === 'subscribe') {
      if (tickers.length > most()) {
        refuse(26, 'Subscription market limit exceeded');
        return;
      }
      for (const channel of params.channels) {
        sids += 1;
        const subscription = { sid: sids, channel, tickers: new Set(tickers), seq: 0 };
        client.subscriptions.set(sids, subscription);
        send(client, { id, type: 'subscribed', msg: { channel, sid: sids } });
        snapshots(client, subscription, [...subscription.tickers]);
      }
      return;
    }
    const subscription = client.subscriptions.get(params.sids[0] ?? 0);
    if (subscription === undefined) {
      refuse(7, 'Unknown subscription ID');
      return;
    }
    const fresh = tickers.filter((ticker) => !subscription.tickers.has(ticker));
    if (adds && subscription.tickers.size + fresh.length > most()) {
      refuse(26, 'Subscription market limit exceeded');
      return;
    }
    for (const ticker of tickers) {
      subscription.tickers[params.action === 'add_markets' ? 'add' : 'delete'](ticker);
    }
    number(client, subscription, { id, type: 'ok', msg: { market_tickers: [...subscription.tickers] } });
    if (adds) {
      snapshots(client, subscription, fresh);
    }
  }

  function snapshots(client: Client, subscription: Subscription, tickers: readonly string[]): void {
    for (const ticker of subscription.channel === 'orderbook_delta' ? tickers : []) {
      const { yes = [], no = [] } = levelsOf(state.markets.get(ticker));
      // the exchange leaves out a side without bids
      const sides = { ...(yes.length > 0 && { yes_dollars_fp: yes }), ...(no.length > 0 && { no_dollars_fp: no }) };
      number(client, subscription, {
        type: 'orderbook_snapshot',
        msg: { market_ticker: ticker, market_id: ticker, ...sides },
      });
    }
  }

  function number(client: Client, subscription: Subscription, message: object): void {
    if (loseUnseen > 0) {
      loseUnseen -= 1;
      return;
    }
    subscription.seq += 1;
    if (!sockets.loses()) {
      send(client, { ...message, sid: subscription.sid, seq: subscription.seq });
    }
  }

  function send(client: Client, message: object): void {
    sockets.send(client, JSON.stringify({ ...message, sending_ts_ms: Date.now() }));
  }

  function publishMarket(market: Market): void {
    const { ticker } = market;
    const { now, deltas, event } = changesOf(market, shown.get(ticker));
    shown.set(ticker, now);
    for (const client of clients) {
      for (const books of ofChannel(client, 'orderbook_delta').filter(({ tickers }) => tickers.has(ticker))) {
        for (const msg of deltas) {
          const delta = { market_ticker: ticker, market_id: ticker, ts_ms: Date.now(), ...msg };
          number(client, books, { type: 'orderbook_delta', msg: delta });
        }
      }
      if (event !== undefined) {
        life(client, 'market_lifecycle_v2', { event_type: event, market_ticker: ticker });
      }
    }
  }

  function publishEvent({ eventTicker, title, exchangeIndex }: Market): void {
    const { feeType = null, feeMultiplier = null } = state.events.get(eventTicker) ?? {};
    const before = shownEvents.get(eventTicker);
    const now = `${feeType} ${feeMultiplier}`;
    shownEvents.set(eventTicker, now);
    for (const client of before === now ? [] : clients) {
      if (before === undefined) {
        life(client, 'event_lifecycle', {
          event_ticker: eventTicker,
          exchange_index: exchangeIndex,
          title,
          subtitle: '',
          collateral_return_type: '',
          series_ticker: seriesOf(eventTicker),
        });
      } else {
        life(client, 'event_fee_update', {
          event_ticker: eventTicker,
          fee_type_override: feeType,
          fee_multiplier_override: feeMultiplier,
        });
      }
    }
  }

  /** Messages of all types on this channel share one sequence. */
  function life(client: Client, type: string, msg: object): void {
    for (const lifecycle of ofChannel(client, 'market_lifecycle_v2')) {
      number(client, lifecycle, { type, msg });
    }
  }

  function publishAccount(client: Client, account: Account): void {
    const { keyId, orders } = client;
    const [[userOrders], [fills]] = [ofChannel(client, 'user_orders'), ofChannel(client, 'fill')];
    for (const order of account.orders.values()) {
      const stamp = stampOf(order);
      if (orders.get(order.orderId) !== stamp && userOrders !== undefined) {
        send(client, { type: 'user_order', sid: userOrders.sid, msg: renderOrder(order, account.fills, keyId) });
      }
      orders.set(order.orderId, stamp);
    }
    const filled = account.fills.slice(client.fills.get(account) ?? 0);
    client.fills.set(account, account.fills.length);
    if (fills !== undefined) {
      for (const fill of disturbed(filled)) {
        send(client, { type: 'fill', sid: fills.sid, msg: renderStreamFill(fill) });
      }
    }
  }

  /** The fills as a faulty stream reports them. */
  function disturbed(filled: readonly Fill[]): readonly Fill[] {
    if (filled.length === 0 || fillFault === undefined || chance() >= fillFault.share) {
      return filled;
    }
    switch (fillFault.fault) {
      case 'lie':
        return filled.map((fill) => ({ ...fill, yesPrice: fill.yesPrice - CENT, fee: fill.fee / 2n }));
      case 'double':
        return filled.flatMap((fill) => [fill, fill]);
      case 'reorder':
        return filled.toReversed();
      case 'drop':
        return filled.slice(1);
    }
  }

  const ping = setInterval(() => {
    for (const client of clients) {
      if (!sockets.isSilent(client)) {
        client.socket.ping('heartbeat');
      }
    }
  }, PING_MS);

  return {
    publish() {
      for (const market of state.markets.values()) {
        publishEvent(market);
        publishMarket(market);
      }
      for (const client of clients) {
        for (const account of accountsOf(state, client.keyId)) {
          publishAccount(client, account);
        }
      }
    },
    fault(fault) {
      if (fault === 'crossed') {
        // the next change of a book is lost without a gap in the numbers, so the book crosses once its other side moves
        loseUnseen += 1;
      } else if (fault === 'busy') {
        refused.push(fault, fault);
      } else if (fault === 'already' || fault === 'internal') {
        refused.push(fault);
      } else {
        sockets.fault(fault, fault === 'silence' ? SILENT_MS : undefined);
      }
    },
    say(type, msg) {
      for (const client of clients) {
        life(client, type, msg);
      }
    },
    limit(changed) {
      limits = changed;
    },
    disturbFills(changed) {
      fillFault = changed;
    },
    close() {
      clearInterval(ping);
      sockets.close();
    },
  };
}

function ofChannel({ subscriptions }: Client, channel: string): readonly Subscription[] {
  return [...subscriptions.values()].filter((one) => one.channel === channel);
}

function stampOf(order: { readonly status: string; readonly filled: bigint }): string {
  return `${order.status} ${order.filled}`;
}

type Levels = ReadonlyMap<string, string>;

interface Shown {
  readonly yes: Levels;
  readonly no: Levels;
  readonly status: Market['status'];
  readonly closesAt: number;
}

const EVENT_TYPES: Partial<Record<Market['status'], string>> = {
  active: 'activated',
  inactive: 'deactivated',
  determined: 'determined',
  finalized: 'settled',
};

type Sides = { readonly yes?: readonly [string, string][]; readonly no?: readonly [string, string][] };

/** Both sides of the book in the form of the exchange. */
function levelsOf(market: Market | undefined): Sides {
  const book = market && (renderBook(market) as { yes_dollars: [string, string][]; no_dollars: [string, string][] });
  return book === undefined ? {} : { yes: book.yes_dollars, no: book.no_dollars };
}

/** Compares a market with its state when it was last shown. @param before undefined for a new market. @returns deltas of its book, and the type of its lifecycle event, if any */
function changesOf(
  market: Market,
  before: Shown | undefined,
): { readonly now: Shown; readonly deltas: readonly object[]; readonly event: string | undefined } {
  const { yes = [], no = [] } = levelsOf(market);
  const now = { yes: new Map(yes), no: new Map(no), status: market.status, closesAt: market.closeTime.getTime() };
  if (before === undefined) {
    return { now, deltas: [], event: 'created' };
  }
  const life = before.status === market.status ? undefined : EVENT_TYPES[market.status];
  return {
    now,
    deltas: (['yes', 'no'] as const).flatMap((side) => deltas(side, before[side], now[side])),
    event: life ?? (before.closesAt === now.closesAt ? undefined : 'close_date_updated'),
  };
}

function deltas(side: 'yes' | 'no', before: Levels, now: Levels): object[] {
  return [...new Set([...before.keys(), ...now.keys()])].flatMap((price) => {
    const delta = hundredths(now.get(price)) - hundredths(before.get(price));
    return delta === 0n ? [] : [{ side, price_dollars: price, delta_fp: decimal(delta * 10_000n, 2) }];
  });
}

function hundredths(count: string | undefined): bigint {
  return BigInt((count ?? '0.00').replace('.', ''));
}
