/** The webhook part of a worker: relay, deliveries, maintenance and retention. A table of contents. */
import type { Context } from '../context.ts';
import { type DeliveryWorkerOptions, openDeliveryWorker } from '../webhooks/delivery-worker.ts';
import { createSecretBox } from '../webhooks/endpoint-secret.ts';
import { publishPolicy } from '../webhooks/endpoints.ts';
import { startDeliveries } from './deliver.ts';
import { startRelay } from './relay.ts';
import { startWebhookMaintenance, startWebhookRetention } from './webhook-maintenance.ts';

/**
 * @param overrides passed only by tests
 * @returns a handle whose `close` lets deliveries in flight end first
 */
export async function startWebhookJobs(
  context: Context,
  overrides: Partial<DeliveryWorkerOptions> = {},
): Promise<{ close(): Promise<void> }> {
  const { sql, clock, log, environment, secrets } = context;
  const box = createSecretBox(secrets);
  const policy = { allowLoopback: environment.webhookAllowLoopback ?? false };
  await publishPolicy(sql, policy);
  const worker = openDeliveryWorker({ sql, box, policy, clock, log, ...overrides });
  const deliveries = await startDeliveries(context, worker);
  const recovery = startWebhookMaintenance(context, deliveries.poolId);
  const retention = startWebhookRetention(context, box);
  const relay = await startRelay(context);
  return {
    close: async () => {
      await Promise.all([relay.close(), recovery.close(), retention.close()]);
      await worker.close();
      await deliveries.close();
    },
  };
}
