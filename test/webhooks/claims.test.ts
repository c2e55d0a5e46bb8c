/** A delivery that was handed out is nobody else's until its lease ends, so that two workers do not send it at once. */
import { expect, test } from 'vitest';
import { addEndpoint } from '../../src/webhooks/endpoints.ts';
import { openWebhookWorld } from './world.ts';

// contract 27.7
test('a delivery is claimed under a lease, and again after it', async () => {
  const world = await openWebhookWorld();
  const { sql } = world.admin;
  try {
    const { endpointId } = await addEndpoint(world.admin, world.operatorId, 'http://127.0.0.1:9/hook', []);
    await world.raiseMany(3);
    await sql`select relay_events(${world.operatorId}, 100)`;
    const claim = async (limit: number, lease: string) => {
      const rows = await sql<{ deliveryId: string }[]>`
        select delivery_id from claim_webhook_deliveries(${world.operatorId}, array[${world.operatorId}], array[${endpointId}], array[${limit}::int], ${lease}::text::interval)`;
      return rows.map(({ deliveryId }) => deliveryId);
    };
    const first = await claim(2, '1 minute');
    const second = await claim(10, '1 minute');
    expect([first.length, second.length]).toEqual([2, 1]);
    expect(first).not.toContain(second[0]);
    expect(await claim(10, '1 minute')).toEqual([]);
    // the lease of the second claim ends
    await sql`update webhook_deliveries set next_attempt_at = now() where delivery_id = any (${second})`;
    expect(await claim(10, '1 minute')).toEqual(second);
  } finally {
    await world.close();
  }
});
