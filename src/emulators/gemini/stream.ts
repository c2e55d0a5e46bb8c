/**
 * The stream of the emulated exchange: whole books and numbered changes, statuses of contracts, and orders of a signed connection. It
 * compares the state with what it last sent and never changes it; faults lose a change, end connections, or fall silent.
 */
import type { Server } from 'node:http';
import type { WebSocket } from 'ws';
import type { Level } from '../../exchange/ladder.ts';
import { createStreamServer, type StreamFault } from '../../exchange/stream-server.ts';
import { jsonOf, microsDecimal } from '../../venues/shapes.ts';
import { bigNumber } from './render.ts';
import { readHandshake, streamCommand } from './requests.ts';
import { type Account, type Contract, type ExchangeState, type Order, timeOf } from './state.ts';

export interface EmulatedStream {
  /** Sends the changes since the last call. */
  publish(): void;
  fault(fault: StreamFault | 'refuse'): void;
  /** Sets the contracts that a subscription accepts but never reports. */
  silence(symbols: readonly string[]): void;
  /** Sends any message to every connection. */
  say(message: object): void;
  close(): void;
}

interface Client {
  readonly socket: WebSocket;
  readonly account: Account | undefined;
  readonly names: Set<string>;
  /** How many orders of the account it has received. */
  orders: number;
}

type Ladder = ReadonlyMap<bigint, bigint>;

export function openEmulatedStream(server: Server, state: ExchangeState): EmulatedStream {
  const sockets = createStreamServer<Client>();
  const { clients } = sockets;
  const shown = new Map<string, { readonly bids: Ladder; readonly asks: Ladder; readonly status: string }>();
  /** The number of the last change of each book. */
  const numbers = new Map<string, bigint>();
  let mute: readonly string[] = [];
  let refuse = 0;

  sockets.attach(server, {
    admit({ headers }) {
      const account = readHandshake(state, headers, timeOf(state));
      return account === null
        ? '401 Unauthorized'
        : (socket) => ({ socket, account, names: new Set(), orders: account?.orders.size ?? 0 });
    },
    received: command,
  });

  function command(client: Client, text: string): void {
    const { id = 0, method = '', params = [] } = streamCommand.safeParse(jsonOf(text)).data ?? {};
    const known = method === 'SUBSCRIBE' || method === 'UNSUBSCRIBE';
    const shut = params.some((name) => name.endsWith('@account')) && client.account === undefined;
    if (!known || shut || refuse > 0) {
      refuse = Math.max(0, refuse - 1);
      send(client, { id, status: 400, error: { code: known ? -1002 : -1013, msg: 'refused' } });
      return;
    }
    send(client, { id, status: 200, result: null });
    for (const name of params) {
      client.names[method === 'SUBSCRIBE' ? 'add' : 'delete'](name);
      const contract = state.contracts.get(name.replace(/@depth$/, ''));
      if (method === 'SUBSCRIBE' && contract !== undefined && name.endsWith('@depth')) {
        depth(client, contract, numberOf(contract.symbol), rows(contract.bids), rows(contract.asks));
      }
    }
  }

  function send(client: Client, message: object): void {
    sockets.send(client, JSON.stringify(message));
  }

  /** @param first number of the first change that the message covers; `last` if it covers one */
  function depth(client: Client, { symbol }: Contract, last: bigint, bids: string[][], asks: string[][], first = last) {
    if (!mute.includes(symbol)) {
      const at = bigNumber(BigInt(Date.now()) * 1_000_000n);
      // the exchange writes symbols in lower case here
      const s = symbol.toLowerCase();
      send(client, { e: 'depthUpdate', E: at, s, U: bigNumber(first), u: bigNumber(last), b: bids, a: asks });
    }
  }

  function numberOf(symbol: string): bigint {
    const number = numbers.get(symbol) ?? BigInt(Date.now()) * 1_000n;
    numbers.set(symbol, number);
    return number;
  }

  function publishContract(contract: Contract): void {
    const { symbol, status, eventTicker } = contract;
    const before = shown.get(symbol);
    const now = { bids: ladderOf(contract.bids), asks: ladderOf(contract.asks), status };
    shown.set(symbol, now);
    const bids = changesOf(before?.bids, now.bids);
    const asks = changesOf(before?.asks, now.asks);
    if (bids.length > 0 || asks.length > 0) {
      const last = numberOf(symbol) + 1n;
      numbers.set(symbol, last);
      for (const client of sockets.loses() ? [] : followers(`${symbol}@depth`)) {
        depth(client, contract, last, bids, asks);
      }
    }
    if (before !== undefined && before.status !== status) {
      const [k, c] = [eventTicker, symbol.split('-').at(-1)];
      for (const client of followers('contractStatus')) {
        send(client, { e: 'contractStatus', E: Date.now(), s: symbol, k, c, i: 1, o: before.status, n: status });
      }
    }
  }

  function publishOrders(client: Client): void {
    const orders = [...(client.account?.orders.values() ?? [])];
    for (const order of client.names.has('orders@account') ? orders.slice(client.orders) : []) {
      send(client, orderUpdate(order));
    }
    client.orders = orders.length;
  }

  const followers = (name: string) => [...clients].filter(({ names }) => names.has(name));

  return {
    publish() {
      for (const contract of state.contracts.values()) {
        publishContract(contract);
      }
      for (const client of clients) {
        publishOrders(client);
      }
    },
    fault(fault) {
      if (fault === 'refuse') {
        refuse += 1;
      } else {
        sockets.fault(fault);
      }
    },
    silence(symbols) {
      mute = symbols;
    },
    say(message) {
      for (const client of clients) {
        send(client, message);
      }
    },
    close: () => sockets.close(),
  };
}

function orderUpdate(order: Order): object {
  const at = bigNumber(BigInt(order.createdAt.getTime()) * 1_000_000n);
  return {
    e: 'orderUpdate',
    E: at,
    s: order.symbol,
    i: bigNumber(order.orderId),
    ...(order.clientOrderId === null ? {} : { c: order.clientOrderId }),
    S: order.side === 'buy' ? 'BUY' : 'SELL',
    O: order.outcome === 'yes' ? 'YES' : 'NO',
    X: order.status === 'filled' ? 'FILLED' : 'CANCELED',
    q: microsDecimal(order.count),
    z: microsDecimal(order.count - order.filled),
    T: at,
  };
}

function rows(levels: readonly Level[]): string[][] {
  return levels.map(({ price, count }) => [microsDecimal(price), microsDecimal(count)]);
}

function ladderOf(levels: readonly Level[]): Ladder {
  return new Map(levels.map(({ price, count }) => [price, count]));
}

/** A level that is gone has the quantity 0. */
function changesOf(before: Ladder = new Map(), now: Ladder): string[][] {
  const gone = [...before.keys()].filter((price) => !now.has(price)).map((price) => [microsDecimal(price), '0']);
  const changed = [...now].filter(([price, count]) => before.get(price) !== count);
  return [...gone, ...changed.map(([price, count]) => [microsDecimal(price), microsDecimal(count)])];
}
