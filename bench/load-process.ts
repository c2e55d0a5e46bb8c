/** A load process: sends prepared requests with a number in flight, and reports rate, latencies and statuses. */
import { once } from 'node:events';
import { monotonicMs, startAt } from './paced-start.ts';
import { openLane, requestBytes, type WireLane } from './wire-lane.ts';

export interface Shot {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
}

export interface LoadOrder {
  readonly url: string;
  readonly inFlight: number;
  readonly shots: readonly Shot[];
  /** Requests per second at most; by default as fast as they go. */
  readonly perSecond?: number;
  /** Whether the bodies are wanted back. */
  readonly bodies?: boolean;
}

export interface LoadAnswer {
  readonly perSecond: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Milliseconds, in the order of the requests. */
  readonly latencies: readonly number[];
  /** When each was sent or, if it was paced and late, due; by `monotonicMs`, in their order. */
  readonly startedAt: readonly number[];
  /** The status of each request, in their order. */
  readonly codes: readonly number[];
  readonly statuses: Record<string, number>;
  readonly bodies: string[];
  readonly sampleFailure: string | null;
}

const [order] = (await once(process, 'message')) as [LoadOrder];
const requests = order.shots.map(({ method, path, headers, body }) => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return requestBytes(order.url, method, path, lines.join(''), body);
});
const lanes = await Promise.all(
  Array.from({ length: order.inFlight }, () => openLane(order.url, order.bodies === true)),
);
const latencies: number[] = [];
const startedAt: number[] = [];
const codes: number[] = [];
const statuses: Record<string, number> = {};
const bodies: string[] = [];
let sampleFailure: string | null = null;
let next = 0;
const start = monotonicMs();

async function run(lane: WireLane): Promise<void> {
  for (;;) {
    const index = next;
    next += 1;
    const request = requests[index];
    if (request === undefined) {
      lane.close();
      return;
    }
    const from =
      order.perSecond === undefined ? monotonicMs() : await startAt(start + (index * 1000) / order.perSecond);
    const { status, body } = await lane.send(request);
    latencies[index] = monotonicMs() - from;
    startedAt[index] = from;
    codes[index] = status;
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (order.bodies) {
      bodies[index] = body;
    }
    if (status >= 300 && sampleFailure === null) {
      sampleFailure = body.slice(0, 300);
    }
  }
}

await Promise.all(lanes.map(run));
const seconds = (monotonicMs() - start) / 1000;
const sorted = latencies.toSorted((a, b) => a - b);
const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
const answer: LoadAnswer = {
  perSecond: order.shots.length / seconds,
  seconds,
  p50Ms: at(0.5),
  p99Ms: at(0.99),
  latencies,
  startedAt,
  codes,
  statuses,
  bodies,
  sampleFailure,
};
process.send?.(answer, undefined, {}, () => process.disconnect?.());
