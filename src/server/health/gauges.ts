/**
 * Gauges that are measured on each scrape of `/metrics`: of trading, of the accounts at venues, and of webhooks. Those
 * of venues and webhooks come from the database, so that every process reports the same values.
 */
import { Gauge, type Registry } from '@prometheus-io/client';
import type { ApiContext } from '../../context.ts';
import { shareReads } from '../../core/deadline.ts';
import type { Sql } from '../../db/client.ts';
import { measureDueWork } from '../../operations/due-work.ts';
import { measureTenants } from '../../operations/load.ts';
import { listVenueFacts, type VenueFact } from '../../trading/account/venue-facts.ts';
import { measureWebhooks, type WebhookTotals } from '../../webhooks/deliveries.ts';

/** A scrape waits no longer for the database, so that the other metrics are there while a table is locked. */
const SCRAPE_MS = 1_000;
/** Only this many tenants have a series at one time, so that the number of series does not grow with the tenants. */
const MOST_TENANTS = 10;

/** The age of each venue's prices, the tenants with the slowest orders, and the backlog of the auditor. */
export function registerTradingMetrics(registry: Registry, { board, clock, reports }: ApiContext): void {
  const readTenants = readForScrape(() => measureTenants(reports));
  const readDueWork = readForScrape(() => measureDueWork(reports));
  const age = new Gauge({
    name: 'inlay_price_age_seconds',
    help: 'Seconds since the book of an open contract was confirmed: the median and the oldest of a venue.',
    labelNames: ['venue', 'of'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [venue, ages] of agesByVenue()) {
        ages.sort((one, other) => one - other);
        age.set({ venue, of: 'median' }, ages[Math.floor((ages.length - 1) / 2)] ?? 0);
        age.set({ venue, of: 'oldest' }, ages.at(-1) ?? 0);
      }
    },
  });
  new Gauge({
    name: 'inlay_tenant_order_p95_seconds',
    help: `Time until orders of the last minute were final, 95th percentile, of the ${MOST_TENANTS} slowest tenants.`,
    labelNames: ['operator'],
    registers: [registry],
    async collect() {
      // Without the database there is no series.
      const tenants = await readTenants().catch(() => []);
      this.reset();
      for (const { slug, p95Ms } of tenants.filter((tenant) => tenant.p95Ms !== null).slice(0, MOST_TENANTS)) {
        this.set({ operator: slug }, (p95Ms ?? 0) / 1000);
      }
    },
  });
  new Gauge({
    name: 'inlay_audit_unread_items',
    help: 'Items of feeds that the auditor has not read yet.',
    registers: [registry],
    async collect() {
      const work = await readDueWork().catch(() => undefined);
      const unread = work?.find(({ name }) => name === 'audit');
      if (unread !== undefined) {
        this.set(unread.waiting);
      }
    },
  });

  function agesByVenue(): Map<string, number[]> {
    const now = clock.now();
    const ages = new Map<string, number[]>();
    for (const contract of board.contracts.values()) {
      for (const { venue } of contract.status === 'open' ? contract.books : []) {
        const seconds = board.ageSeconds(contract, venue, now);
        if (Number.isFinite(seconds)) {
          const known = ages.get(venue) ?? [];
          known.push(seconds);
          ages.set(venue, known);
        }
      }
    }
    return ages;
  }
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
    new Gauge({
      name,
      help,
      labelNames: ['venue'],
      registers: [registry],
      async collect() {
        try {
          for (const fact of await read()) {
            this.set({ venue: fact.name }, measure(fact));
          }
        } catch {
          // Without the database this gauge keeps its last value, and the other metrics are still reported.
        }
      },
    });
  }
}

const WEBHOOK_GAUGES: readonly [keyof WebhookTotals, string, string][] = [
  ['queued', 'inlay_webhooks_queued', 'Deliveries not acknowledged yet, and events that wait for the relay.'],
  ['delivered', 'inlay_webhooks_delivered', 'Deliveries acknowledged since the beginning.'],
  ['failed', 'inlay_webhooks_failed', 'Attempts that failed since the beginning.'],
  ['exhausted', 'inlay_webhooks_exhausted', 'Deliveries given up and not replayed.'],
  ['oldestAgeSeconds', 'inlay_webhooks_oldest_age_seconds', 'Age of the oldest delivery that is not acknowledged yet.'],
];

/** Deliveries that wait, succeeded, failed and were given up. */
export function registerWebhookMetrics(registry: Registry, sql: Sql): void {
  const read = readForScrape(() => measureWebhooks(sql));
  for (const [field, name, help] of WEBHOOK_GAUGES) {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        try {
          this.set((await read())[field]);
        } catch {
          // Without the database this gauge keeps its last value, and the other metrics are still reported.
        }
      },
    });
  }
}

/** A scrape collects all gauges at once, so they share one read. @throws if it takes too long */
function readForScrape<T>(read: () => Promise<T>): () => Promise<T> {
  return shareReads(read, SCRAPE_MS, () => {
    throw new Error('the database has not answered in time');
  });
}
