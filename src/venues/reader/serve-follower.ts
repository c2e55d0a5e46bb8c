/** One follower's connection: writes the messages in order while there is room, and ends it if nothing is taken for a while. */
import type { ServerResponse } from 'node:http';
import type { Ticks } from '../../core/clock.ts';
import { writeJson } from './listing-json.ts';
import { BEAT_MS, type UnsentMessage } from './messages.ts';
import { collectOutgoing } from './outgoing.ts';
import type { Publication } from './publication.ts';

/** Changes that arrive together are sent together. */
const GATHER_MS = 20;
/** A follower that takes nothing for so long is disconnected; it begins again with everything. */
const STUCK_MS = 15_000;

/** @param hello the first message. @param onEnd called once */
export function serveFollower(
  response: ServerResponse,
  publication: Publication,
  hello: UnsentMessage,
  ticks: Ticks,
  onEnd: () => void,
): void {
  let n = 0;
  let gathering: NodeJS.Timeout | undefined;
  let full = false;
  let takenAt = ticks();
  const outgoing = collectOutgoing(publication, ticks, wake);

  function write(message: UnsentMessage): void {
    n += 1;
    full = !response.write(`${writeJson({ n, t: Math.round(ticks()), ...message })}\n`);
  }

  function wake(): void {
    gathering ??= setTimeout(flush, GATHER_MS);
  }

  function flush(): void {
    gathering = undefined;
    while (!full) {
      const message = outgoing.next();
      if (message === undefined) {
        takenAt = ticks();
        return;
      }
      write(message);
    }
  }

  response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' });
  write(hello);
  const unsubscribe = publication.subscribe(outgoing);
  response.on('drain', () => {
    full = false;
    takenAt = ticks();
    flush();
  });
  const beats = setInterval(() => {
    if (full && ticks() - takenAt > STUCK_MS) {
      response.destroy();
    } else if (!full) {
      write({ type: 'beat' });
    }
    if (!publication.reading) {
      response.destroy();
    }
  }, BEAT_MS);
  response.on('close', () => {
    clearInterval(beats);
    clearTimeout(gathering);
    unsubscribe();
    onEnd();
  });
  wake();
}
