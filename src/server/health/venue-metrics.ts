/** Gauges of our accounts at venues at `/metrics`, read from the database on each scrape. */
import { Gauge, type Registry } from '@prometheus-io/client';
import type { Sql } from '../../db/client.ts';
import { listVenueFacts, type VenueFact } from '../../trading/account/venue-facts.ts';

const GAUGES: readonly [name: string, help: string, read: (fact: VenueFact) => number][] = [
  [
    'inlay_venue_trading_stopped',
    '1 while trading at the venue has stopped because its account differs from the books, or because a person stopped it.',
    ({ stop }) => (stop === null ? 0 : 1),
  ],
  [
    'inlay_venue_held_back',
    '1 while nothing could be sent to the venue for more than 15 seconds, and for 15 seconds after.',
    ({ held }) => (held === null ? 0 : 1),
  ],
  [
    'inlay_venue_findings',
    'What the account at the venue holds that the books do not know.',
    ({ findings }) => findings,
  ],
  [
    'inlay_venue_unknown_words',
    'Values, fields and errors that the venue sent in the last seven days and this release does not know.',
    ({ unknownWords }) => unknownWords,
  ],
];

export function registerVenueMetrics(registry: Registry, sql: Sql): void {
  let reading: Promise<VenueFact[]> | undefined;
  // A scrape collects all gauges at once, so they share one read.
  const read = () => {
    reading ??= listVenueFacts(sql).finally(() => {
      reading = undefined;
    });
    return reading;
  };
  for (const [name, help, measure] of GAUGES) {
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
          // While the database is not available, the other metrics matter most; this one keeps its last value.
        }
      },
    });
  }
}
