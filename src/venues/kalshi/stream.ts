/**
 * A signed WebSocket to Kalshi that reconnects by itself, and the subscriptions of books on one connection. Messages of a subscription
 * are numbered: a missing number, an unreadable message, a refused command or silence ends the connection, and the caller subscribes
 * again. It keeps no books.
 */
import { openReconnectingSocket } from '../follow.ts';
import type { Invalid } from '../listing.ts';
import type { Note } from '../port.ts';
import { jsonOf } from '../shapes.ts';
import { type AnyMessage, anyMessage, HINTS, KNOWN_TYPES, type StreamMessage, streamMessage } from './shapes.ts';

export const STREAM_PATH = '/trade-api/ws/v2';
/** The exchange answers our ping of every second; its own pings come every ten seconds. */
const SILENCE_MS = 5_000;
const PING_MS = 1_000;
const RAW_CHARS = 2_000;
/** Codes of refusals and errors in the exchange's list, according to which 6, 16 and 17 are not sent any more. */
const KNOWN_CODES: ReadonlySet<number> = new Set([...Array(28).keys()].map((index) => index + 1));

export interface StreamSource {
  /** Origin, such as `wss://host`. */
  readonly url: string;
  /** Headers of the handshake, signed anew for each connection. @throws if the key cannot be read */
  headers(): Readonly<Record<string, string>>;
}

interface StreamHandlers {
  /** The connection is open and has no subscriptions. */
  opened(connection: StreamConnection): void;
  message(message: StreamMessage): void;
  /** @returns whether the refused command was handled; if not, or if this is missing, the connection ends */
  refused?(refusal: Refusal): boolean;
  /** A ping that was sent at `at` was answered. */
  alive(at: Date): void;
  ended(reason: string): void;
  invalid(evidence: Invalid): void;
  readonly note: Note;
}

interface Refusal {
  /** Id of the command, as `send` returned it; undefined if the exchange does not name it. */
  readonly id: number | undefined;
  readonly code: number;
  /** The market that caused the refusal, if it is named. */
  readonly ticker: string | undefined;
}

export interface StreamConnection {
  /** @param cmd `subscribe` or `update_subscription`. @returns the id of the command */
  send(cmd: string, params: object): number;
  /** Ends the connection; it is opened again. */
  drop(reason: string): void;
}

export function openKalshiStream(source: StreamSource, handlers: StreamHandlers): { close(): void } {
  let ids = 0;
  /** The last number of each subscription on this connection. */
  let numbers = new Map<number, number>();

  function take(text: string): string | null {
    const body = jsonOf(text);
    const message = anyMessage.safeParse(body).data;
    if (message === undefined) {
      return unreadable(text);
    }
    const expected = nextNumber(message, numbers);
    if (expected !== null) {
      return expected;
    }
    if (!KNOWN_TYPES.has(message.type)) {
      handlers.note('stream message', message.type);
      return null;
    }
    const read = streamMessage.safeParse(body).data;
    if (read === undefined && HINTS.has(message.type)) {
      handlers.note('stream message that cannot be read', message.type);
      return null;
    }
    if (read === undefined) {
      return unreadable(text);
    }
    if (read.type === 'error') {
      const { code, market_ticker: ticker } = read.msg;
      if (handlers.refused?.({ id: read.id, code, ticker }) === true) {
        return null;
      }
      if (!KNOWN_CODES.has(code)) {
        handlers.note('stream error', String(code));
      }
      return `the exchange refused a command: ${read.msg.code} ${read.msg.msg ?? ''}`.trim();
    }
    handlers.message(read);
    return null;
  }

  function unreadable(text: string): string {
    handlers.invalid({ about: 'message', reason: 'unknown message', raw: text.slice(0, RAW_CHARS) });
    return 'a message could not be read';
  }

  return openReconnectingSocket(
    {
      url: `${source.url}${STREAM_PATH}`,
      headers: () => source.headers(),
      probeMs: PING_MS,
      silenceMs: SILENCE_MS,
    },
    {
      opened({ drop, send }) {
        numbers = new Map();
        handlers.opened({
          drop,
          send: (cmd, params) => {
            ids += 1;
            send(JSON.stringify({ id: ids, cmd, params }));
            return ids;
          },
        });
      },
      received: take,
      alive: handlers.alive,
      ended: handlers.ended,
    },
  );
}

/** @returns what is wrong with the number of a message; null if it follows the previous one, or if the message has none */
function nextNumber({ sid, seq }: AnyMessage, numbers: Map<number, number>): string | null {
  if (sid === undefined || seq === undefined) {
    return null;
  }
  const last = numbers.get(sid);
  numbers.set(sid, seq);
  return last === undefined || seq === last + 1 ? null : `expected message ${last + 1} but received ${seq}`;
}

const CHANNEL = 'orderbook_delta';
/** Most tickers per command. */
const CHUNK = 500;
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** Codes of refusals, from the AsyncAPI document of the exchange. */
const MARKET_NOT_FOUND = 16;
const SUBSCRIPTION_FULL = 26;
const TOO_MANY_REQUESTS = 27;

interface Command {
  readonly cmd: 'subscribe' | 'update_subscription';
  readonly params: object;
  /** Markets that it requests. */
  readonly adds: readonly string[];
  /** The subscription that it changes; missing if it opens one. */
  readonly sid?: number;
}

export interface BookSubscriptions {
  follow(tickers: readonly string[]): void;
  unfollow(tickers: readonly string[]): void;
  /** The exchange has carried out a command. @param sid the subscription of books that it opened, if any */
  done(id: number, sid?: number): void;
  /** @returns whether the refusal was handled */
  refused(refusal: Refusal): boolean;
  /** The book of `ticker` came on subscription `sid`. */
  listedOn(sid: number, ticker: string): void;
  close(): void;
}

/**
 * Subscribes to the books of markets on one connection, in lists of tickers. A full subscription is followed by another one, and a
 * command that exceeds the rate limit is repeated after a pause. A refused market is left out, and the others of its command are
 * requested again; if the exchange does not name the market, the list is halved until it is found.
 *
 * @param leaveOut called for a market that the exchange refuses
 */
export function openBookSubscriptions(
  connection: StreamConnection,
  leaveOut: (ticker: string) => void,
): BookSubscriptions {
  const commands = new Map<number, Command>();
  const subscriptionOf = new Map<string, number>();
  /** Lists that wait for a subscription that accepts them. */
  const waiting: (readonly string[])[] = [];
  const pauses = new Set<NodeJS.Timeout>();
  /** The subscription that accepts further markets. */
  let sid: number | undefined;
  let subscribing = false;
  let pauseMs = PAUSE_MS;

  function send(command: Command): void {
    commands.set(connection.send(command.cmd, command.params), command);
  }

  function ask(tickers: readonly string[]): void {
    // the scale of NO prices is named explicitly, because the default will change
    const markets = { market_tickers: tickers, use_yes_price: false };
    if (sid === undefined) {
      subscribing = true;
      send({ cmd: 'subscribe', params: { channels: [CHANNEL], ...markets }, adds: tickers });
    } else {
      send({
        cmd: 'update_subscription',
        params: { sids: [sid], ...markets, action: 'add_markets' },
        adds: tickers,
        sid,
      });
    }
  }

  function askNext(): void {
    while (waiting.length > 0 && !subscribing) {
      ask(waiting.shift() ?? []);
    }
  }

  function askAgain(tickers: readonly string[]): void {
    if (tickers.length > 0) {
      waiting.push(tickers);
    }
  }

  function askInHalves(tickers: readonly string[]): void {
    const half = Math.ceil(tickers.length / 2);
    askAgain(tickers.slice(0, half));
    askAgain(tickers.slice(half));
  }

  function sendLater(command: Command): void {
    const pause = setTimeout(() => {
      pauses.delete(pause);
      send(command);
    }, pauseMs);
    pauses.add(pause);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }

  function deal(command: Command, { code, ticker }: Refusal): boolean {
    const { adds, sid: full } = command;
    if (code === TOO_MANY_REQUESTS) {
      sendLater(command);
      return true;
    }
    if (command.cmd === 'subscribe') {
      subscribing = false;
    }
    if (code === SUBSCRIPTION_FULL && full !== undefined) {
      sid = sid === full ? undefined : sid;
      askAgain(adds);
    } else if (code !== MARKET_NOT_FOUND && code !== SUBSCRIPTION_FULL) {
      return false;
    } else if (ticker !== undefined && adds.includes(ticker)) {
      leaveOut(ticker);
      askAgain(adds.filter((one) => one !== ticker));
    } else if (adds.length > 1) {
      askInHalves(adds);
    } else {
      adds.forEach(leaveOut);
    }
    askNext();
    return true;
  }

  return {
    follow(tickers) {
      for (let from = 0; from < tickers.length; from += CHUNK) {
        waiting.push(tickers.slice(from, from + CHUNK));
      }
      askNext();
    },
    unfollow(tickers) {
      for (const [from, some] of Map.groupBy(tickers, (ticker) => subscriptionOf.get(ticker))) {
        for (let at = 0; at < some.length && from !== undefined; at += CHUNK) {
          const params = { sids: [from], market_tickers: some.slice(at, at + CHUNK), action: 'delete_markets' };
          send({ cmd: 'update_subscription', params, adds: [], sid: from });
        }
      }
      for (const ticker of tickers) {
        subscriptionOf.delete(ticker);
      }
    },
    done(id, opened) {
      commands.delete(id);
      pauseMs = PAUSE_MS;
      if (opened !== undefined) {
        sid = opened;
        subscribing = false;
        askNext();
      }
    },
    refused(refusal) {
      const command = commands.get(refusal.id ?? 0);
      commands.delete(refusal.id ?? 0);
      return command !== undefined && deal(command, refusal);
    },
    listedOn(on, ticker) {
      subscriptionOf.set(ticker, on);
    },
    close() {
      for (const pause of pauses) {
        clearTimeout(pause);
      }
    },
  };
}
