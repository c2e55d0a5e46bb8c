/** Gauges of trading at `/metrics`: how old the prices of each venue are, which tenants have the slowest orders, and how far the auditor is behind. */
import { Gauge, type Registry } from '@prometheus-io/client';
import type { ApiContext } from '../../context.ts';
import { measureDueWork, measureTenants } from '../../operations/due-work.ts';

/** Only these have a series at one moment, so that the number of tenants does not make the number of series. */
const MOST_TENANTS = 10;

export function registerTradingMetrics(registry: Registry, { board, clock, reports }: ApiContext): void {
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
      // without the database there is no series
      const tenants = await measureTenants(reports).catch(() => []);
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
      const work = await measureDueWork(reports).catch(() => undefined);
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
