/**
 * Which markets are asked for on one connection of Kalshi's stream, and how: lists of tickers, on as many subscriptions as they need.
 * A market that is refused is left out and the others of its command are asked for again; where the exchange does not name it, the
 * list is halved until it is found. A full subscription is followed by another, and one command too many by a pause.
 */
import type { Refusal, StreamConnection } from './stream.ts';

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

/** @param leaveOut the exchange refuses this market */
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
