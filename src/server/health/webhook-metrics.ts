/** Webhook gauges at `/metrics`, read from the database on each scrape, so every process reports the same values. */
import { Gauge, type Registry } from '@prometheus-io/client';
import type { Sql } from '../../db/client.ts';
import { measureWebhooks, type WebhookTotals } from '../../webhooks/deliveries.ts';

const GAUGES: readonly [keyof WebhookTotals, string, string][] = [
  ['queued', 'inlay_webhooks_queued', 'Deliveries not acknowledged yet, and events that wait for the relay.'],
  ['delivered', 'inlay_webhooks_delivered', 'Deliveries acknowledged since the beginning.'],
  ['failed', 'inlay_webhooks_failed', 'Attempts that failed since the beginning.'],
  ['exhausted', 'inlay_webhooks_exhausted', 'Deliveries given up and not replayed.'],
  ['oldestAgeSeconds', 'inlay_webhooks_oldest_age_seconds', 'Age of the oldest delivery that is not acknowledged yet.'],
];

export function registerWebhookMetrics(registry: Registry, sql: Sql): void {
  let reading: Promise<WebhookTotals> | undefined;
  // A scrape collects all gauges at once, so they share one read.
  const read = () => {
    reading ??= measureWebhooks(sql).finally(() => {
      reading = undefined;
    });
    return reading;
  };
  for (const [field, name, help] of GAUGES) {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        try {
          this.set((await read())[field]);
        } catch {
          // While the database is not available, the other metrics matter most; this one keeps its last value.
        }
      },
    });
  }
}
