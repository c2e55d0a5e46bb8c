/**
 * `npm run capacity`: the needs of a demand, by the costs that the last whole run of the bench measured (`bench/last-run.json`, or `--from
 * FILE` of `--save`): processors, disk, log and replication, and the first bottleneck. Operators differ in size by Zipf's law.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { ASSUMED, firstFull, priceOfMillion } from './capacity-limits.ts';

/** Costs of one order and one quote, as measured. */
export interface UnitCosts {
  readonly apiMicros: number;
  readonly databaseMicros: number;
  readonly quoteApiMicros: number;
  readonly quoteDatabaseMicros: number;
  readonly storedBytes: number;
  readonly loggedBytes: number;
  /** Orders per second of one operator, whose counter is one row. */
  readonly oneOperator: number;
}

export interface Demand {
  readonly operators: number;
  /** Orders a second at the peak. */
  readonly orders: number;
  readonly quotesAnOrder: number;
  /** Orders of a day, as a share of the peak held all day. */
  readonly average: number;
}

export interface Plan {
  readonly databaseCores: number;
  readonly apiCores: number;
  readonly storedADay: number;
  readonly loggedADay: number;
  /** Bytes of log a second at the peak. */
  readonly logged: number;
  /** Bytes a second at the peak to all standbys. */
  readonly replicated: number;
  /** Orders a second of the largest operator. */
  readonly largest: number;
  /** Operators that one counter does not carry. */
  readonly tooLarge: number;
}

/** A database that is busier than this responds late. */
const BUSY = 0.6;
const STANDBYS = 2;
const DAY_S = 86_400;
const MICROS = 1_000_000;

export function planCapacity(costs: UnitCosts, demand: Demand): Plan {
  const { operators, orders, quotesAnOrder, average } = demand;
  const database = (costs.databaseMicros + quotesAnOrder * costs.quoteDatabaseMicros) / MICROS;
  const api = (costs.apiMicros + quotesAnOrder * costs.quoteApiMicros) / MICROS;
  const loads = sizes(operators).map((share) => share * orders);
  const perDay = orders * average * DAY_S;
  return {
    databaseCores: (orders * database) / BUSY,
    apiCores: (orders * api) / BUSY,
    storedADay: perDay * costs.storedBytes,
    loggedADay: perDay * costs.loggedBytes,
    logged: orders * costs.loggedBytes,
    replicated: orders * costs.loggedBytes * STANDBYS,
    largest: loads[0] ?? 0,
    tooLarge: loads.filter((load) => load > costs.oneOperator).length,
  };
}

/** Shares of the whole by Zipf's law, the largest first. */
function sizes(operators: number): number[] {
  const weights = Array.from({ length: operators }, (_, index) => 1 / (index + 1));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

const RUN = z.object({
  started: z.string(),
  rows: z.array(
    z.object({
      key: z.string(),
      measured: z.number().nullable(),
      costs: z
        .object({
          apiMicros: z.number().optional(),
          databaseMicros: z.number().optional(),
          storedBytes: z.number().optional(),
          loggedBytes: z.number().optional(),
        })
        .optional(),
    }),
  ),
});

/** @throws Error if the run did not measure the costs that are needed */
export function readCosts(text: string): UnitCosts {
  const { rows } = RUN.parse(JSON.parse(text));
  const row = (key: string) => rows.find((one) => one.key === key);
  const need = (value: number | null | undefined, what: string): number => {
    if (value === undefined || value === null) {
      throw new Error(`the run did not measure ${what}`);
    }
    return value;
  };
  return {
    apiMicros: need(row('orders-spread')?.costs?.apiMicros, 'orders-spread'),
    databaseMicros: need(row('orders-spread')?.costs?.databaseMicros, 'orders-spread'),
    quoteApiMicros: need(row('quotes')?.costs?.apiMicros, 'quotes'),
    quoteDatabaseMicros: need(row('quotes')?.costs?.databaseMicros, 'quotes'),
    storedBytes: need(row('stored')?.costs?.storedBytes, 'stored'),
    loggedBytes: need(row('stored')?.costs?.loggedBytes, 'stored'),
    oneOperator: need(row('orders-hot')?.measured, 'orders-hot'),
  };
}

/** From a pilot to a thousand operators with a hundred million customers. */
export const STEPS: readonly Demand[] = [
  { operators: 5, orders: 100, quotesAnOrder: 3, average: 0.1 },
  { operators: 50, orders: 1_000, quotesAnOrder: 3, average: 0.1 },
  { operators: 300, orders: 10_000, quotesAnOrder: 3, average: 0.1 },
  { operators: 1_000, orders: 100_000, quotesAnOrder: 3, average: 0.1 },
];

export function renderPlans(costs: UnitCosts, demands: readonly Demand[]): string {
  const count = (value: number) => Math.ceil(value).toLocaleString('en-US');
  const gigabytes = (bytes: number) =>
    bytes < 1e12 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e12).toFixed(1)} TB`;
  return [
    '| orders a second, operators | database cores | API cores | stored a day | log a day | to standbys | largest operator, too large for one counter | full first | disk full after |',
    '|---|---|---|---|---|---|---|---|---|',
    ...demands.map((demand) => {
      const plan = planCapacity(costs, demand);
      const { resource, used, diskDays } = firstFull(plan, costs.oneOperator);
      return `| ${count(demand.orders)}, ${count(demand.operators)} | ${count(plan.databaseCores)} | ${count(plan.apiCores)} | ${gigabytes(plan.storedADay)} | ${gigabytes(plan.loggedADay)} | ${(plan.replicated / 1e6).toFixed(1)} MB/s | ${count(plan.largest)} a second, ${plan.tooLarge} | ${resource} (${(used * 100).toFixed(0)} %) | ${count(diskDays)} days |`;
    }),
    '',
    `A million orders, with ${demands[0]?.quotesAnOrder ?? 0} quotes each: ${millionOf(costs, demands[0]?.quotesAnOrder ?? 0)}.`,
    '',
    ASSUMED,
  ].join('\n');
}

function millionOf(costs: UnitCosts, quotes: number): string {
  const seconds = costs.databaseMicros + quotes * costs.quoteDatabaseMicros;
  const apiSeconds = costs.apiMicros + quotes * costs.quoteApiMicros;
  const dollars = priceOfMillion((seconds + apiSeconds) / 3_600, costs.storedBytes, costs.loggedBytes * STANDBYS);
  return (
    `${(seconds / 3_600).toFixed(2)} core hours of the database, ${(apiSeconds / 3_600).toFixed(2)} of the API, ` +
    `${(costs.storedBytes / 1_000).toFixed(1)} GB stored, ${(costs.loggedBytes / 1_000).toFixed(1)} GB of log, ` +
    `${dollars.toFixed(2)} dollars with a year on disk`
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { from: { type: 'string' } } });
  const file = values.from ?? fileURLToPath(new URL('./last-run.json', import.meta.url));
  process.stdout.write(`${renderPlans(readCosts(readFileSync(file, 'utf8')), STEPS)}\n`);
}
