/**
 * One signed WebSocket of Kalshi, which opens itself again. Messages of a subscription are numbered: a missing number, a message
 * that cannot be read, a terminal error, or silence ends the connection, and everything is subscribed again. It keeps no books.
 */
import { openReconnectingSocket } from '../follow.ts';
import type { Invalid } from '../listing.ts';
import type { Note } from '../port.ts';
import { jsonOf } from '../shapes.ts';
import { type AnyMessage, anyMessage, HINTS, KNOWN_TYPES, type StreamMessage, streamMessage } from './shapes.ts';

export const STREAM_PATH = '/trade-api/ws/v2';
/** The exchange pings every ten seconds, and answers our ping of every second. */
const SILENCE_MS = 5_000;
const PING_MS = 1_000;
const RAW_CHARS = 2_000;
/** Of refusals and errors, by the exchange's own list. 6, 16 and 17 are said not to be sent any more. */
const KNOWN_CODES: ReadonlySet<number> = new Set([...Array(28).keys()].map((index) => index + 1));

export interface StreamSource {
  /** Origin, such as `wss://host`. */
  readonly url: string;
  /** Headers of the handshake, signed now. @throws if the key cannot be read */
  headers(): Readonly<Record<string, string>>;
}

export interface StreamHandlers {
  /** The connection is open: the caller subscribes. */
  opened(connection: StreamConnection): void;
  message(message: StreamMessage): void;
  /** @returns whether a refused command was dealt with; if not, or where this is missing, the connection ends */
  refused?(refusal: Refusal): boolean;
  /** A ping that was sent at that time was answered. */
  alive(at: Date): void;
  ended(reason: string): void;
  invalid(evidence: Invalid): void;
  readonly note: Note;
}

interface Refusal {
  /** Of the command, as `send` returned it; undefined where the exchange does not say which. */
  readonly id: number | undefined;
  readonly code: number;
  /** The market that is the reason, if it is named. */
  readonly ticker: string | undefined;
}

export interface StreamConnection {
  /** @param cmd `subscribe`, `update_subscription`. @returns the id of the command */
  send(cmd: string, params: object): number;
  /** Ends the connection; it is opened again. */
  drop(reason: string): void;
}

export function openKalshiStream(source: StreamSource, handlers: StreamHandlers): { close(): void } {
  let ids = 0;
  /** Last number of each subscription of this connection. */
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

/** @returns what is wrong with the number of a message, whatever it says; null if it follows the one before or has none */
function nextNumber({ sid, seq }: AnyMessage, numbers: Map<number, number>): string | null {
  if (sid === undefined || seq === undefined) {
    return null;
  }
  const last = numbers.get(sid);
  numbers.set(sid, seq);
  return last === undefined || seq === last + 1 ? null : `expected message ${last + 1} but received ${seq}`;
}

const CHANNEL = 'orderbook_delta';
/** Tickers in one command. */
const CHUNK = 500;
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** Codes of refusals (AsyncAPI of the exchange). */
const MARKET_NOT_FOUND = 16;
const SUBSCRIPTION_FULL = 26;
const TOO_MANY_REQUESTS = 27;

interface Command {
  readonly cmd: 'subscribe' | 'update_subscription';
  readonly params: object;
  /** Markets that it asks for. */
  readonly adds: readonly string[];
  /** The subscription that it changes. */
  readonly sid?: number;
}

export interface BookSubscriptions {
  follow(tickers: readonly string[]): void;
  unfollow(tickers: readonly string[]): void;
  /** A command was done. @param sid of a subscription of books that it opened */
  done(id: number, sid?: number): void;
  /** @returns whether the refusal was dealt with */
  refused(refusal: Refusal): boolean;
  /** A book came on that subscription. */
  listedOn(sid: number, ticker: string): void;
  close(): void;
}

/**
 * Which markets are asked for on one connection of Kalshi's stream, and how: lists of tickers, on as many subscriptions as they need.
 * A market that is refused is left out and the others of its command are asked for again; where the exchange does not name it, the
 * list is halved until it is found. A full subscription is followed by another, and one command too many by a pause.
 *
 * @param leaveOut the exchange refuses this market
 */
export function openBookSubscriptions(
  connection: StreamConnection,
  leaveOut: (ticker: string) => void,
): BookSubscriptions {
  const commands = new Map<number, Command>();
  const subscriptionOf = new Map<string, number>();
  /** Lists that are asked for as soon as there is a subscription that takes them. */
  const waiting: (readonly string[])[] = [];
  const pauses = new Set<NodeJS.Timeout>();
  /** The one that takes further markets. */
  let sid: number | undefined;
  let subscribing = false;
  let pauseMs = PAUSE_MS;

  function send(command: Command): void {
    commands.set(connection.send(command.cmd, command.params), command);
  }

  function ask(tickers: readonly string[]): void {
    // the scale of NO prices is said explicitly, because the default will change
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
