/**
 * NOTIFY after commits, spaced. A transaction that notifies blocks all others that notify, so that no money statement does: a process sends
 * a notification of its own after the commit.
 */
import type { Sql } from './client.ts';

/** PostgreSQL takes payloads of fewer than 8,000 bytes. */
const MOST_BYTES = 7_000;

/**
 * @param channel the channel that listeners listen to
 * @param spacingMs milliseconds between two notifications: the first is sent at once, and everything that follows within this time is sent
 *   together at its end
 * @returns sends a word of up to 100 bytes without blanks, or nothing but the signal if it is missing. It returns at once and never fails:
 *   a notification can be lost with its connection, so that listeners look by themselves as well, seldom.
 */
export function createNotifier(sql: Sql, channel: string, spacingMs: number): (word?: string) => void {
  let resting: NodeJS.Timeout | undefined;
  /** The words to be sent at the end of the rest; undefined if there is nothing to send. */
  let gathered: Set<string> | undefined;

  function send(words: ReadonlySet<string>): void {
    resting = setTimeout(() => {
      resting = undefined;
      const next = gathered;
      gathered = undefined;
      if (next !== undefined) {
        send(next);
      }
    }, spacingMs);
    resting.unref();
    for (const payload of payloadsOf(words)) {
      sql`select pg_notify(${channel}, ${payload})`.catch(() => {});
    }
  }

  return (word = '') => {
    if (resting === undefined) {
      send(new Set([word]));
    } else {
      gathered ??= new Set();
      gathered.add(word);
    }
  };
}

/** The words, separated by blanks, in as few payloads as possible. */
function payloadsOf(words: ReadonlySet<string>): string[] {
  const payloads: string[] = [];
  for (const word of words) {
    const last = payloads.at(-1);
    if (last === undefined || last.length + word.length >= MOST_BYTES) {
      payloads.push(word);
    } else {
      payloads[payloads.length - 1] = `${last} ${word}`;
    }
  }
  return payloads;
}
