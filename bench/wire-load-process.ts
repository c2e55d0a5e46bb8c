/** A load process that repeats one GET and counts bytes and every status that is not 200. */
import { once } from 'node:events';
import { openLane, requestBytes } from './wire-lane.ts';

export interface WireOrder {
  readonly url: string;
  readonly path: string;
  /** Whole sets of header lines, taken in turn. */
  readonly headers: readonly string[];
  readonly inFlight: number;
  readonly count: number;
}

export interface WireAnswer {
  readonly perSecond: number;
  readonly failed: number;
  readonly bytes: number;
}

const [order] = (await once(process, 'message')) as [WireOrder];
const requests = order.headers.map((lines) => requestBytes(order.url, 'GET', order.path, lines));
const lanes = await Promise.all(Array.from({ length: order.inFlight }, () => openLane(order.url, false)));
let sent = 0;
let failed = 0;
let bytes = 0;
const start = performance.now();
await Promise.all(
  lanes.map(async (lane) => {
    for (let request = take(); request !== undefined; request = take()) {
      const reply = await lane.send(request);
      bytes += reply.bytes;
      failed += reply.status === 200 ? 0 : 1;
    }
    lane.close();
  }),
);
const seconds = (performance.now() - start) / 1000;
process.send?.({ perSecond: order.count / seconds, failed, bytes } satisfies WireAnswer);
process.disconnect?.();

function take(): Buffer | undefined {
  sent += 1;
  return sent > order.count ? undefined : requests[sent % requests.length];
}
