/**
 * The streams of the emulated exchange: books of tokens by snapshot and change, ticks and results on `/ws/market`, orders and trades of a
 * wallet on `/ws/user`. It compares the state with what it last sent and never changes it; faults lose a message, send one twice, end
 * connections or fall silent.
 */
import type { Server } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { WebSocket } from 'ws';
import type { Level } from '../../exchange/ladder.ts';
import { createStreamServer, type StreamFault } from '../../exchange/stream-server.ts';
import { microsDecimal as plain } from '../../venues/shapes.ts';
import { outcomeOf, renderBook, renderOrder, renderTrade } from './render.ts';
import { marketCommand, userSubscription } from './requests.ts';
import { type Account, bookOf, type ExchangeState, type Market } from './state.ts';

/** Longer than a client waits. */
const SILENT_MS = 10_000;
/** A connection that follows more tokens receives no message any more, as at the exchange. */
const MOST_TOKENS = 500;

export interface EmulatedStream {
  /** Whether there is any connection. */
  readonly followed: boolean;
  /** Sends the changes since the last call. */
  publish(): void;
  fault(fault: StreamFault | 'twice'): void;
  /** Sends any message to every connection that follows books. */
  say(message: object): void;
  close(): void;
}

interface MarketClient {
  readonly follows: 'markets';
  readonly socket: WebSocket;
  readonly tokens: Set<string>;
  custom: boolean;
}

interface UserClient {
  readonly follows: 'account';
  readonly socket: WebSocket;
  account: Account | undefined;
  /** The last state of each order and trade that was sent. */
  readonly sent: Map<string, string>;
}

interface Shown {
  readonly sides: ReadonlyMap<string, Readonly<Record<'BUY' | 'SELL', ReadonlyMap<string, string>>>>;
  readonly tick: bigint;
  readonly closed: boolean;
}

export function openEmulatedStream(server: Server, state: ExchangeState): EmulatedStream {
  const sockets = createStreamServer<MarketClient | UserClient>();
  const shown = new Map<string, Shown>();
  /** How many trades of each account were published. */
  const published = new Map<Account, number>();
  let twice = 0;
  let again: string | undefined;

  sockets.attach(server, {
    admit({ url }) {
      if (url === '/ws/market') {
        return (socket) => ({ follows: 'markets', socket, tokens: new Set(), custom: false });
      }
      return url === '/ws/user'
        ? (socket) => ({ follows: 'account', socket, account: undefined, sent: new Map() })
        : '404 Not Found';
    },
    received(client, text) {
      if (text === 'PING') {
        sockets.send(client, 'PONG');
        return;
      }
      try {
        const body: unknown = JSON.parse(text);
        if (client.follows === 'markets') {
          followMarkets(client, body);
        } else {
          followAccount(client, body);
        }
      } catch {
        client.socket.send('INVALID OPERATION');
        client.socket.close();
      }
    },
  });

  const followers = () => [...sockets.clients].filter((client) => client.follows === 'markets');
  const users = () => [...sockets.clients].filter((client) => client.follows === 'account');

  function followMarkets(client: MarketClient, body: unknown): void {
    const { assets_ids: tokens, operation, custom_feature_enabled: custom } = marketCommand.parse(body);
    client.custom = custom ?? client.custom;
    for (const token of tokens) {
      client.tokens[operation === 'unsubscribe' ? 'delete' : 'add'](token);
    }
    if (operation !== 'unsubscribe') {
      const books = tokens.flatMap((token) => bookMessage(token));
      send(client, books.length > 0 ? JSON.stringify(books) : undefined);
    }
  }

  function followAccount(client: UserClient, body: unknown): void {
    const { auth } = userSubscription.parse(body);
    client.account = [...state.accounts.values()].find(
      ({ credentials, walletCredentials }) =>
        isDeepStrictEqual(credentials, auth) || isDeepStrictEqual(walletCredentials, auth),
    );
    if (client.account === undefined) {
      client.socket.close();
      return;
    }
    for (const { key, stamp } of workOf(client.account)) {
      client.sent.set(key, stamp);
    }
  }

  function bookMessage(token: string): object[] {
    const market = [...state.markets.values()].find(({ tokens, closed }) => !closed && tokens.includes(token));
    return market === undefined ? [] : [{ event_type: 'book', ...renderBook(market, token, new Date()) }];
  }

  function send(client: MarketClient, text: string | undefined): void {
    if (text !== undefined && client.tokens.size <= MOST_TOKENS) {
      sockets.send(client, text);
    }
  }

  function broadcast(market: Market, message: object, custom = false): void {
    const text = JSON.stringify({ market: market.conditionId, timestamp: String(Date.now()), ...message });
    if (sockets.loses()) {
      return;
    }
    for (const client of followers()) {
      if (market.tokens.some((token) => client.tokens.has(token)) && (client.custom || !custom)) {
        send(client, text);
        send(client, again);
      }
    }
    again = twice > 0 ? text : undefined;
    twice = 0;
  }

  function publishMarket(market: Market): void {
    const before = shown.get(market.conditionId);
    const now = showOf(market);
    shown.set(market.conditionId, now);
    if (before === undefined) {
      return;
    }
    if (before.tick !== now.tick) {
      for (const token of market.tokens) {
        const ticks = { old_tick_size: plain(before.tick), new_tick_size: plain(now.tick) };
        broadcast(market, { event_type: 'tick_size_change', asset_id: token, ...ticks });
      }
    }
    const changes = market.tokens.flatMap((token) => changesOf(market, token, before, now));
    if (changes.length > 0) {
      broadcast(market, { event_type: 'price_change', price_changes: changes });
    }
    if (market.closed && !before.closed) {
      const won = market.tokens[(market.payout?.[1] ?? 0n) > (market.payout?.[0] ?? 0n) ? 1 : 0];
      const ids = { assets_ids: market.tokens, winning_asset_id: won, winning_outcome: outcomeOf(market, won) };
      broadcast(market, { event_type: 'market_resolved', ...ids }, true);
    }
  }

  function publishTrades(account: Account): void {
    for (const { market, token, side, parts, transactionHash } of account.trades.slice(published.get(account) ?? 0)) {
      for (const { price, count } of parts) {
        const trade = {
          price: plain(price),
          size: plain(count),
          side,
          fee_rate_bps: '0',
          transaction_hash: transactionHash,
        };
        broadcast(market, { event_type: 'last_trade_price', asset_id: token, ...trade });
      }
    }
    published.set(account, account.trades.length);
  }

  function publishAccount(client: UserClient): void {
    for (const { key, stamp, message } of client.account === undefined ? [] : workOf(client.account)) {
      if (client.sent.get(key) !== stamp) {
        sockets.send(client, JSON.stringify({ ...message, timestamp: String(Date.now()) }));
      }
      client.sent.set(key, stamp);
    }
  }

  return {
    get followed() {
      return sockets.clients.size > 0;
    },
    publish() {
      for (const market of state.markets.values()) {
        publishMarket(market);
      }
      for (const account of state.accounts.values()) {
        publishTrades(account);
      }
      users().forEach(publishAccount);
    },
    fault(fault) {
      if (fault === 'twice') {
        twice = 1;
      } else {
        sockets.fault(fault, fault === 'silence' ? SILENT_MS : undefined);
      }
    },
    say(message) {
      for (const client of followers()) {
        send(client, JSON.stringify(message));
      }
    },
    close: () => sockets.close(),
  };
}

function showOf(market: Market): Shown {
  const ladder = (levels: readonly Level[]) => new Map(levels.map(({ price, count }) => [plain(price), plain(count)]));
  const sides = market.tokens.map((token) => {
    const { bids, asks } = bookOf(market, token);
    return [token, { BUY: ladder(bids), SELL: ladder(asks) }] as const;
  });
  return { sides: new Map(sides), tick: market.tick, closed: market.closed };
}

/** Levels with their new sizes, and the best prices after all of them. */
function changesOf(market: Market, token: string, before: Shown, now: Shown): object[] {
  const { bids, asks } = bookOf(market, token);
  const best = { best_bid: plain(bids[0]?.price ?? 0n), best_ask: plain(asks[0]?.price ?? 1_000_000n) };
  return (['BUY', 'SELL'] as const).flatMap((side) => {
    const [old, levels] = [before.sides.get(token)?.[side] ?? new Map(), now.sides.get(token)?.[side] ?? new Map()];
    return [...new Set([...old.keys(), ...levels.keys()])]
      .filter((price) => old.get(price) !== levels.get(price))
      .map((price) => ({ asset_id: token, price, size: levels.get(price) ?? '0', side, hash: '', ...best }));
  });
}

/** Orders and trades of an account, each with a stamp that changes when it is to be sent again. */
function workOf(account: Account): { readonly key: string; readonly stamp: string; readonly message: object }[] {
  const orders = [...account.orders.values()].map((order) => ({
    key: order.hash,
    stamp: `${order.status} ${order.matched}`,
    message: { event_type: 'order', type: 'UPDATE', ...renderOrder(order, account) },
  }));
  const trades = account.trades.map((trade) => ({
    key: trade.id,
    stamp: trade.status,
    message: { event_type: 'trade', type: 'TRADE', ...renderTrade(trade, account) },
  }));
  return [...orders, ...trades];
}
