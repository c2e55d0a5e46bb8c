/** Row `overload`: orders that are accepted while three times as many arrive as the machine can serve. */
import { seedMarket } from '../test/support/market.ts';
import type { LoadAnswer, LoadOrder } from './load-process.ts';
import { interleave, type Measure, median, type Run } from './measure.ts';
import { confirmBook, DEEP, IN_FLIGHT, load, ORDERS, orderShots } from './orders.ts';
import { cpuSeconds } from './process-facts.ts';
import type { World } from './world.ts';

const TIMES = 3;
const LANES = 2_000;
const LEAST = 300;
const REFUSED = 503;
const MOST_P99_MS = 1_000;
const MICROS = 1_000_000;

export async function overload(world: World, run: Run): Promise<Measure> {
  const { size } = run;
  const operators = await world.createOperators('overload', 50, 4);
  const market = await seedMarket(world.sql, 'bench-overload', DEEP);
  const api = await world.startApi();
  const count = size(ORDERS, LEAST);
  const p99s: number[] = [];
  const refusedShares: number[] = [];
  /** Processor time of the API process for an order at the peak, and for a request under overload, refused or not. */
  const peakMicros: number[] = [];
  const overloadMicros: number[] = [];
  let peak = 0;

  async function shots(name: string, number: number) {
    await confirmBook(world, market);
    return orderShots(world, api.url, operators, market.contractId, name, number);
  }

  async function measured(order: LoadOrder, micros: number[], accepted?: number): Promise<LoadAnswer> {
    const before = cpuSeconds(api.pid);
    const answer = await load(world, order, accepted);
    micros.push((MICROS * (cpuSeconds(api.pid) - before)) / order.shots.length);
    return answer;
  }

  async function atPeak(round: number): Promise<number> {
    const order = { url: api.url, inFlight: IN_FLIGHT, shots: await shots(`peak-${round}`, count) };
    peak = (await measured(order, peakMicros)).perSecond;
    return peak;
  }

  async function overloaded(round: number): Promise<number> {
    const perSecond = TIMES * (peak === 0 ? await atPeak(-1) : peak);
    const order = { url: api.url, inFlight: LANES, perSecond, shots: await shots(`over-${round}`, TIMES * count) };
    const { latencies, codes, seconds } = await measured(order, overloadMicros, REFUSED);
    const accepted = acceptedOf({ latencies, codes });
    p99s.push(accepted[Math.floor(accepted.length * 0.99)] ?? Number.NaN);
    refusedShares.push(1 - accepted.length / codes.length);
    return accepted.length / seconds;
  }

  const rates = await interleave(run, overloaded, atPeak);
  await api.close();
  const refused = (100 * median(refusedShares.slice(1))).toFixed(0);
  return {
    ...rates,
    unit: 'per s',
    note:
      `${refused} % refused with 503; times count from when a request was due; µs of CPU of the API: an order at the peak ` +
      `${median(peakMicros.slice(1)).toFixed(0)}, a request under overload ${median(overloadMicros.slice(1)).toFixed(0)}`,
    bounds: [{ what: 'p99 of accepted orders', value: median(p99s.slice(1)), unit: 'ms', atMost: MOST_P99_MS }],
  };
}

/** Milliseconds of the orders that were accepted, ascending. */
function acceptedOf({ latencies, codes }: Pick<LoadAnswer, 'latencies' | 'codes'>): number[] {
  return latencies.filter((_, index) => codes[index] !== REFUSED).toSorted((a, b) => a - b);
}
