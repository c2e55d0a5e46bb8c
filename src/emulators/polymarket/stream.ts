/**
 * The streams of the emulated exchange: books of tokens by snapshot and change, ticks and results on `/ws/market`, orders and trades of a
 * wallet on `/ws/user`. It compares the state with what it last sent and never changes it; faults lose a message, send one twice, end
 * connections or fall silent.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { type WebSocket, WebSocketServer } from 'ws';
import { microsDecimal as plain } from '../../venues/shapes.ts';
import { outcomeOf, renderBook, renderOrder, renderTrade } from './render.ts';
import { marketCommand, userSubscription } from './requests.ts';
import { type Account, bookOf, type ExchangeState, type Level, type Market } from './state.ts';

/** Longer than a client waits. */
const SILENT_MS = 10_000;
/** A connection that follows more receives nothing any more, as at the exchange. */
const MOST_TOKENS = 500;

type StreamFault = 'gap' | 'twice' | 'disconnect' | 'silence' | 'garbage';

export interface EmulatedStream {
  /** Whether there is any connection. */
  readonly followed: boolean;
  /** Sends what has changed since the last call. */
  publish(): void;
  fault(fault: StreamFault): void;
  /** Sends any message to every connection that follows books. */
  say(message: object): void;
  close(): void;
}

interface MarketClient {
  readonly socket: WebSocket;
  readonly tokens: Set<string>;
  custom: boolean;
}

interface UserClient {
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
  const sockets = new WebSocketServer({ noServer: true });
  const followers = new Set<MarketClient>();
  const users = new Set<UserClient>();
  const shown = new Map<string, Shown>();
  /** How many trades of each account were published. */
  const published = new Map<Account, number>();
  let silent = false;
  let lose = 0;
  let twice = 0;
  let again: string | undefined;

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const path = request.url ?? '';
    if (path !== '/ws/market' && path !== '/ws/user') {
      socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => {
      opened.on('error', () => opened.terminate());
      if (path === '/ws/market') {
        welcomeFollower(opened);
      } else {
        welcomeUser(opened);
      }
    });
  });

  function listen(socket: WebSocket, take: (body: unknown) => void): void {
    socket.on('message', (data) => {
      const text = String(data);
      if (text === 'PING') {
        if (!silent) {
          socket.send('PONG');
        }
        return;
      }
      try {
        take(JSON.parse(text));
      } catch {
        socket.send('INVALID OPERATION');
        socket.close();
      }
    });
  }

  function welcomeFollower(socket: WebSocket): void {
    const client: MarketClient = { socket, tokens: new Set(), custom: false };
    followers.add(client);
    socket.on('close', () => followers.delete(client));
    listen(socket, (body) => {
      const { assets_ids: tokens, operation, custom_feature_enabled: custom } = marketCommand.parse(body);
      client.custom = custom ?? client.custom;
      for (const token of tokens) {
        client.tokens[operation === 'unsubscribe' ? 'delete' : 'add'](token);
      }
      if (operation !== 'unsubscribe') {
        const books = tokens.flatMap((token) => bookMessage(token));
        send(client, books.length > 0 ? JSON.stringify(books) : undefined);
      }
    });
  }

  function welcomeUser(socket: WebSocket): void {
    const client: UserClient = { socket, account: undefined, sent: new Map() };
    users.add(client);
    socket.on('close', () => users.delete(client));
    listen(socket, (body) => {
      const { auth } = userSubscription.parse(body);
      client.account = [...state.accounts.values()].find(
        ({ credentials, walletCredentials }) =>
          isDeepStrictEqual(credentials, auth) || isDeepStrictEqual(walletCredentials, auth),
      );
      if (client.account === undefined) {
        socket.close();
        return;
      }
      for (const { key, stamp } of workOf(client.account)) {
        client.sent.set(key, stamp);
      }
    });
  }

  function bookMessage(token: string): object[] {
    const market = [...state.markets.values()].find(({ tokens, closed }) => !closed && tokens.includes(token));
    return market === undefined ? [] : [{ event_type: 'book', ...renderBook(market, token, new Date()) }];
  }

  function send({ socket, tokens }: MarketClient, text: string | undefined): void {
    if (text !== undefined && !silent && tokens.size <= MOST_TOKENS) {
      socket.send(text);
    }
  }

  function broadcast(market: Market, message: object, custom = false): void {
    const text = JSON.stringify({ market: market.conditionId, timestamp: String(Date.now()), ...message });
    if (lose > 0) {
      lose -= 1;
      return;
    }
    for (const client of followers) {
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
      if (client.sent.get(key) !== stamp && !silent) {
        client.socket.send(JSON.stringify({ ...message, timestamp: String(Date.now()) }));
      }
      client.sent.set(key, stamp);
    }
  }

  return {
    get followed() {
      return followers.size + users.size > 0;
    },
    publish() {
      for (const market of state.markets.values()) {
        publishMarket(market);
      }
      for (const account of state.accounts.values()) {
        publishTrades(account);
      }
      users.forEach(publishAccount);
    },
    fault(fault) {
      if (fault === 'gap') {
        lose += 1;
      } else if (fault === 'twice') {
        twice = 1;
      } else if (fault === 'silence') {
        silent = true;
        setTimeout(() => {
          silent = false;
        }, SILENT_MS).unref();
      } else {
        for (const { socket } of [...followers, ...users]) {
          if (fault === 'garbage') {
            socket.send('<html>');
          } else {
            socket.terminate();
          }
        }
      }
    },
    say(message) {
      for (const client of followers) {
        send(client, JSON.stringify(message));
      }
    },
    close() {
      for (const { socket } of [...followers, ...users]) {
        socket.terminate();
      }
      sockets.close();
    },
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
