/** A world with rows of its operator’s journal that raise events, and webhook jobs over them. */
import { newDigits } from '../../src/core/ids.ts';
import { startWebhookJobs } from '../../src/jobs/deliver.ts';
import { JOURNAL_ENTRY, type JournalEntry } from '../../src/ledger/journal-row.ts';
import { countItems } from '../../src/ledger/render/items.ts';
import { type Delivery, listDeliveries } from '../../src/webhooks/deliveries.ts';
import type { DeliveryWorkerOptions } from '../../src/webhooks/delivery-worker.ts';
import { createSecretBox } from '../../src/webhooks/endpoint-secret.ts';
import type { EndpointAdmin } from '../../src/webhooks/endpoints.ts';
import { openWorld, type World } from '../support/world.ts';

export const SECRET = 'a-root-secret-of-tests';

export interface WebhookWorld extends World {
  readonly operatorId: string;
  readonly admin: EndpointAdmin;
  /** Records a row that raises an event. @returns the id of the event */
  raise(type?: RaisedType): Promise<string>;
  raiseMany(count: number): Promise<void>;
  startJobs(overrides?: Partial<DeliveryWorkerOptions>): Promise<{ close(): Promise<void> }>;
  deliveries(endpointId?: string): Promise<Delivery[]>;
}

type RaisedType = 'order.filled' | 'order.rejected' | 'position.settled';

const ROWS: Readonly<Record<RaisedType, Omit<JournalEntry, 'items'>>> = {
  'order.filled': {
    kind: 'order_filled',
    action: 'buy',
    side: 'YES',
    status: 'filled',
    transmissionState: 'resolved',
    fillNo: 1,
    quantityMicros: 10_000_000n,
    priceMicros: 610_000n,
    filledQuantityMicros: 10_000_000n,
    priceWeight: 6_100_000_000_000n,
  },
  'order.rejected': { kind: 'order_ended', action: 'buy', status: 'rejected', reason: 'no' },
  'position.settled': { kind: 'position_settled', side: 'YES', outcome: 'lost', quantityMicros: 10_000_000n },
};

export async function openWebhookWorld(): Promise<WebhookWorld> {
  const world = await openWorld({ environment: { INLAY_SECRET: SECRET } });
  const { sql, context, operator } = world;
  const { operatorId } = operator;

  async function record(types: readonly RaisedType[]): Promise<string[]> {
    const rows = types.map((type) => {
      const digits = newDigits();
      const ids = { orderId: `ord_${digits}`, positionId: `pos_${digits}`, digits };
      return { operatorId, ...ROWS[type], ...ids, items: countItems(ROWS[type]) };
    });
    await sql`select append_to_journal(${operatorId}, ${JOURNAL_ENTRY.toArray(rows)}::text::journal_row[])`;
    await sql`select pg_notify('journal', '')`;
    return rows.map(({ digits }) => `evn_${digits}`);
  }

  return {
    ...world,
    operatorId,
    admin: { sql, box: createSecretBox(context.secrets), policy: { allowLoopback: true } },
    raise: async (type = 'order.filled') => {
      const [eventId = ''] = await record([type]);
      return eventId;
    },
    raiseMany: async (count) => {
      await record(Array.from({ length: count }, () => 'order.filled'));
    },
    startJobs: async (overrides) => world.add(await startWebhookJobs(world.openWorker(), overrides)),
    deliveries: (endpointId) => listDeliveries(sql, { operatorId, endpointId, limit: 10_000 }),
  };
}
