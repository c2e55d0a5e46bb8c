/**
 * Stays connected to whichever of the named readers reads a venue, with a whole copy of what it reads. It tries one address after
 * the other until it is closed, and takes no decision about what happens while there is none.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ticks } from '../../core/clock.ts';
import { VenueUnknown } from '../port.ts';
import { heldAnswerShape, type ReaderMessage } from './messages.ts';
import { readFrom } from './reader-connection.ts';
import { createReaderCopy, type ReaderCopy } from './reader-copy.ts';

const FIRST_WAIT_MS = 250;
const LAST_WAIT_MS = 3_000;
const HELD_MS = 15_000;
const LOOK_MS = 50;

export interface ReaderAccess {
  /** Origins, in the order in which they are tried. */
  readonly origins: readonly string[];
  readonly token: string;
  /** Name of this cell. */
  readonly cell: string;
  /** Our account at the venue, so that two cells do not trade in one; null if there is none. */
  readonly account: string | null;
}

export interface ReaderHandlers {
  /** A reader was reached: the cell that reads, and a cell that trades in our account. */
  hello(cell: string, sharedAccount: string | null): void;
  /** The copy contains the message already. */
  message(message: ReaderMessage, copy: ReaderCopy, lateMs: number): void;
  /** Nothing is received any more. */
  lost(reason: string): void;
}

export interface ReaderFeed {
  /**
   * The whole catalogue, with the results of `held`.
   * @throws VenueUnknown if no reader has sent it
   */
  catalogue(held: readonly string[]): Promise<ReaderCopy>;
  close(): Promise<void>;
}

/** How a connection went. */
interface Followed {
  readonly heard: boolean;
  /** Long enough that its end may be followed by a new connection soon. */
  readonly lasted: boolean;
  readonly reason: string;
}

export function followReader(
  venue: string,
  { origins, token, cell, account }: ReaderAccess,
  ticks: Ticks,
  handlers: ReaderHandlers,
): ReaderFeed {
  const stop = new AbortController();
  const headers = {
    authorization: `Bearer ${token}`,
    'x-inlay-cell': cell,
    ...(account !== null && { 'x-inlay-account': account }),
  };
  let current: { readonly origin: string; readonly copy: ReaderCopy } | undefined;

  async function follow(origin: string): Promise<Followed> {
    const copy = createReaderCopy();
    const begunAt = ticks();
    let heard = false;
    const url = `${origin}/v1/venues/${venue}/stream`;
    const reason = await readFrom({ url, headers }, stop.signal, ticks, (message, lateMs) => {
      if (message.type === 'hello') {
        heard = true;
        current = { origin, copy };
        handlers.hello(message.cell, message.sharedAccount);
      }
      copy.take(message);
      handlers.message(message, copy, lateMs);
    });
    current = undefined;
    return { heard, lasted: heard && ticks() - begunAt >= LAST_WAIT_MS, reason };
  }

  async function run(): Promise<void> {
    let waitMs = FIRST_WAIT_MS;
    while (!stop.signal.aborted) {
      for (const origin of origins) {
        const { heard, lasted, reason } = await follow(origin);
        if (lasted) {
          waitMs = FIRST_WAIT_MS;
        }
        if (heard) {
          handlers.lost(reason);
        }
        if (stop.signal.aborted) {
          return;
        }
      }
      await sleep(waitMs, undefined, { signal: stop.signal }).catch(() => undefined);
      waitMs = Math.min(waitMs * 2, LAST_WAIT_MS);
    }
  }

  const unknown = (what: string) => new VenueUnknown(venue, `the cell that reads it ${what}`);

  /** @returns the read that contains them */
  async function hold(origin: string, listings: readonly string[], signal: AbortSignal): Promise<number> {
    const response = await fetch(`${origin}/v1/venues/${venue}/held`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ cell, listings }),
      signal,
    });
    const answer = heldAnswerShape.safeParse(response.status === 200 ? await response.json() : undefined);
    if (!answer.success) {
      throw unknown(`refused what is held here with ${response.status}`);
    }
    return answer.data.read;
  }

  const running = run();
  return {
    async catalogue(held) {
      const using = current;
      if (using === undefined) {
        throw unknown('is not connected');
      }
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(HELD_MS)]);
      const least =
        held.length === 0
          ? 1
          : await hold(using.origin, held, signal).catch((error: unknown) => {
              throw error instanceof VenueUnknown ? error : unknown('does not answer');
            });
      while (using.copy.reads < least) {
        if (signal.aborted || current !== using) {
          throw unknown('did not send the catalogue in time');
        }
        await sleep(LOOK_MS);
      }
      return using.copy;
    },
    async close() {
      stop.abort();
      await running;
    },
  };
}
