/**
 * Metrics that are measured in the database on each scrape of `/metrics`, so that every process reports the same values: money, work that
 * is due, tenants, accounts at venues, and webhooks.
 */
import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import { shareReads } from '../core/deadline.ts';
import type { Sql } from '../db/client.ts';
import { listVenueFacts, type VenueFact } from '../trading/account/venue-facts.ts';
import { measureWebhooks, type WebhookTotals } from '../webhooks/deliveries.ts';
import { measureDueWork } from './due-work.ts';
import { measureTenants } from './load.ts';
import { countUnknownOrders, listLowestCollateral, measureReports } from './money-at-risk.ts';

/** A scrape waits no longer for the database, so that the other metrics are there while a table is locked. */
const SCRAPE_MS = 1_000;
/** Only this many operators have a series at one time, so that the number of series does not grow with the operators. */
const MOST_OPERATORS = 10;

/** Whether the books are in order, the orders of unknown outcome, and the operators with the least collateral. */
export function registerMoneyMetrics(registry: Registry, sql: Sql): void {
  const readReports = readForScrape(() => measureReports(sql));
  gauge(
    registry,
    'inlay_report_findings',
    'Findings in the last report of each operator, together.',
    readReports,
    ({ findings }) => Object.entries(findings).map(([severity, count]) => [{ severity }, count]),
    ['severity'],
  );
  gauge(
    registry,
    'inlay_report_oldest_seconds',
    'Seconds since the last report of the operator whose report is the oldest.',
    readReports,
    ({ oldestSeconds }) => [[{}, oldestSeconds]],
  );
  gauge(
    registry,
    'inlay_orders_unknown',
    'Orders of unknown outcome, by the time since they were sent to a venue.',
    readForScrape(() => countUnknownOrders(sql)),
    (orders) => [...orders].map(([age, count]) => [{ age }, count]),
    ['age'],
  );
  gauge(
    registry,
    'inlay_collateral_available_dollars',
    `Collateral that no order holds, of the ${MOST_OPERATORS} live operators with the least.`,
    readForScrape(() => listLowestCollateral(sql, MOST_OPERATORS)),
    (operators) => operators.map(({ slug, dollars }) => [{ operator: slug }, dollars]),
    ['operator'],
  );
}

/** Work that is due, of which each kind has its age, and the tenants with the slowest orders. */
export function registerWorkMetrics(registry: Registry, sql: Sql): void {
  const readDueWork = readForScrape(() => measureDueWork(sql));
  gauge(
    registry,
    'inlay_work_waiting',
    'Rows that wait for a worker, by the kind of work; the auditor and the log of the feed count items.',
    readDueWork,
    (kinds) => kinds.map(({ name, waiting }) => [{ work: name }, waiting]),
    ['work'],
  );
  gauge(
    registry,
    'inlay_work_oldest_seconds',
    'Seconds since the oldest row of this kind of work is due; 0 if none is.',
    readDueWork,
    (kinds) => kinds.map(({ name, oldestAt }) => [{ work: name }, secondsSince(oldestAt)]),
    ['work'],
  );
  gauge(
    registry,
    'inlay_tenant_order_p95_seconds',
    `Time until orders of the last minute were final, 95th percentile, of the ${MOST_OPERATORS} slowest tenants.`,
    readForScrape(() => measureTenants(sql)),
    (tenants) =>
      tenants
        .flatMap(({ slug, p95Ms }) => (p95Ms === null ? [] : [[{ operator: slug }, p95Ms / 1000] as const]))
        .slice(0, MOST_OPERATORS),
    ['operator'],
  );
}

function secondsSince(time: string | null): number {
  return time === null ? 0 : Math.max(0, (Date.now() - Date.parse(time)) / 1000);
}

const VENUE_GAUGES: readonly [name: string, help: string, read: (fact: VenueFact) => number][] = [
  [
    'inlay_venue_trading_stopped',
    '1 while trading at the venue has stopped because its account differs from the books, or because a support person stopped it.',
    ({ stop }) => (stop === null ? 0 : 1),
  ],
  [
    'inlay_venue_held_back',
    '1 while no order could be sent to the venue for more than 15 seconds, and for 15 seconds after.',
    ({ held }) => (held === null ? 0 : 1),
  ],
  ['inlay_venue_findings', 'Differences between the account at the venue and the books.', ({ findings }) => findings],
  [
    'inlay_venue_unknown_words',
    'Values, fields and errors that the venue sent in the last seven days and this release does not know.',
    ({ unknownWords }) => unknownWords,
  ],
];

/** Stops, delays, findings and unknown words of each venue at which we have an account. */
export function registerVenueMetrics(registry: Registry, sql: Sql): void {
  const read = readForScrape(() => listVenueFacts(sql));
  for (const [name, help, measure] of VENUE_GAUGES) {
    gauge(registry, name, help, read, (facts) => facts.map((fact) => [{ venue: fact.name }, measure(fact)]), ['venue']);
  }
}

const WEBHOOK_GAUGES: readonly [keyof WebhookTotals, string, string][] = [
  ['queued', 'inlay_webhooks_queued', 'Deliveries not acknowledged yet, and events that wait for the relay.'],
  ['exhausted', 'inlay_webhooks_exhausted', 'Deliveries given up and not replayed.'],
  ['oldestAgeSeconds', 'inlay_webhooks_oldest_age_seconds', 'Age of the oldest delivery that is not acknowledged yet.'],
];

/** Deliveries that wait and that were given up, and the attempts since the beginning. */
export function registerWebhookMetrics(registry: Registry, sql: Sql): void {
  const read = readForScrape(() => measureWebhooks(sql));
  for (const [field, name, help] of WEBHOOK_GAUGES) {
    gauge(registry, name, help, read, (totals) => [[{}, totals[field]]]);
  }
  // With a label there is no sample before the first measurement, so that a total never rises from zero at once.
  new Counter({
    name: 'inlay_webhooks_attempts_total',
    help: 'Attempts that were acknowledged, and those that failed, since the beginning.',
    labelNames: ['outcome'],
    registers: [registry],
    async collect() {
      const totals = await read().catch(() => undefined);
      if (totals !== undefined) {
        this.reset();
        this.inc({ outcome: 'delivered' }, totals.delivered);
        this.inc({ outcome: 'failed' }, totals.failed);
      }
    },
  });
}

/** A scrape collects all gauges at once, so they share one read. @throws if it takes too long */
function readForScrape<T>(read: () => Promise<T>): () => Promise<T> {
  return shareReads(read, SCRAPE_MS, () => {
    throw new Error('the database has not answered in time');
  });
}

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** Without the database a gauge keeps its last values, and the other metrics are still reported. */
function gauge<T>(
  registry: Registry,
  name: string,
  help: string,
  read: () => Promise<T>,
  samplesOf: (measured: T) => readonly Sample[],
  labelNames: readonly string[] = [],
): void {
  new Gauge<string>({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      const measured = await read().catch(() => undefined);
      if (measured === undefined) {
        return;
      }
      this.reset();
      for (const [labels, value] of samplesOf(measured)) {
        this.set(labels, value);
      }
    },
  });
}
