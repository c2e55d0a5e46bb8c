/**
 * One connection to the cell that reads a venue. A missing line, a line that does not fit, or five seconds without any end it;
 * the caller connects again and receives everything again. It keeps nothing.
 */
import type { Ticks } from '../../core/clock.ts';
import { messageShape, type ReaderMessage } from './messages.ts';

const SILENCE_MS = 5_000;
const MOST_LINE = 32 * 1024 * 1024;

export interface ReaderAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * @param take called with each message and how many milliseconds ago it was written, at most
 * @returns why the connection ended
 */
export async function readFrom(
  { url, headers }: ReaderAddress,
  signal: AbortSignal,
  ticks: Ticks,
  take: (message: ReaderMessage, lateMs: number) => void,
): Promise<string> {
  const ended = new AbortController();
  const begunAt = ticks();
  let silence = setTimeout(() => ended.abort(), SILENCE_MS);
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.any([signal, ended.signal]) });
    if (response.status !== 200 || response.body === null) {
      await response.body?.cancel();
      return `it answered with ${response.status}`;
    }
    let last = 0;
    let helloAt = 0;
    for await (const text of linesOf(response.body)) {
      clearTimeout(silence);
      silence = setTimeout(() => ended.abort(), SILENCE_MS);
      const message = parse(text);
      if (message === undefined) {
        return 'a message could not be read';
      }
      if (message.n !== last + 1 || (last === 0) !== (message.type === 'hello')) {
        return `expected message ${last + 1} but received ${message.n}`;
      }
      last = message.n;
      helloAt = last === 1 ? message.t : helloAt;
      // the first message was written after we asked, so this is never less than the truth
      take(message, Math.max(0, ticks() - begunAt - (message.t - helloAt)));
    }
    return 'the connection ended';
  } catch (error) {
    return ended.signal.aborted
      ? 'nothing arrived for five seconds'
      : `it does not answer: ${(error as Error).message}`;
  } finally {
    clearTimeout(silence);
    ended.abort();
  }
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const [first = '', ...more] = decoder.decode(bytes, { stream: true }).split('\n');
    rest += first;
    for (const next of more) {
      yield rest;
      rest = next;
    }
    if (rest.length > MOST_LINE) {
      throw new Error('a line is too long');
    }
  }
}

function parse(text: string): ReaderMessage | undefined {
  try {
    const parsed = messageShape.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
