/** Orders that were sent to the scripted venue of a test: their attempts, look-ups and evidence. */
import { expect } from 'vitest';
import type { OrderToPlace } from '../../src/venues/port.ts';
import type { Tenant } from './tenant.ts';
import { until } from './until.ts';
import type { Live } from './world.ts';

interface AttemptRow {
  readonly state: string;
  /** How often the venue has answered "not found" in a row. */
  readonly notFound: number;
  readonly lookups: number;
}

/** On a machine that stalls, the clocks are read again before anything is sent. */
const SENT_WITHIN_MS = 20_000;

/** @param live and tenant are read at each call, because a test file makes them in its hooks. */
export function createSentOrders(live: () => Live, tenant: () => Tenant) {
  async function send(quote: object = {}): Promise<{ orderId: string; sent: OrderToPlace }> {
    const { orderId } = (await tenant().place('ana', {}, quote)).body;
    await tenant().confirm(orderId);
    const [sent] = await until(
      () => live().sentOf(orderId),
      (sends) => sends.length > 0,
      SENT_WITHIN_MS,
    );
    return { orderId, sent: sent as OrderToPlace };
  }

  const ended = (orderId: string) =>
    until(
      () => tenant().read(orderId),
      (one) => one.transmissionState === 'resolved',
    );
  const due = (orderId: string) =>
    live().sql`update transmissions set next_lookup_at = now() where order_id = ${orderId} and state <> 'done'`;
  const attempt = async (orderId: string) =>
    (
      await live().sql<AttemptRow[]>`
        select state, not_found, lookups from transmissions where order_id = ${orderId}`
    )[0];
  /** Lets the job ask once more. */
  async function asked(orderId: string): Promise<void> {
    const before = (await attempt(orderId))?.lookups ?? 0;
    await due(orderId);
    await until(
      async () => (await attempt(orderId))?.lookups ?? 0,
      (now) => now > before,
    );
  }
  const evidence = async (orderId: string) =>
    (
      await live().sql<{ kind: string }[]>`select kind from venue_evidence where order_id = ${orderId} order by kind`
    ).map((row) => row.kind);
  const bookedFee = async (orderId: string) =>
    (
      await live().sql<{ feeMicros: bigint | null }[]>`select fee_micros from order_fills where order_id = ${orderId}`
    )[0]?.feeMicros;
  const holds = async (orderId: string) => {
    const order = await tenant().read(orderId);
    expect(order).toMatchObject({ transmissionState: 'unknown', settlementState: 'pending' });
    expect((await tenant().cancel(orderId)).status).toBe(409);
    expect(await tenant().audit()).toEqual([]);
    return order;
  };

  return { send, ended, due, attempt, asked, evidence, bookedFee, holds };
}
