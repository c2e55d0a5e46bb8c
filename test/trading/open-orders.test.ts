/** Whether an order is still open is decided in SQL for lists and checks, and in TypeScript for what a read shows: both agree in every state. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrderStatus, TransmissionState } from '../../src/core/terms.ts';
import { settlementState } from '../../src/money/blocks.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const STATUSES: Readonly<Record<OrderStatus, true>> = {
  reserve_pending: true,
  pending_venue_execution: true,
  submitted: true,
  partially_filled: true,
  filled: true,
  rejected: true,
  cancelled: true,
  pending: true,
};
const TRANSMISSIONS: Readonly<Record<TransmissionState, true>> = {
  not_transmitted: true,
  unknown: true,
  resolved: true,
};

test('is_open_order is the settlementState `pending`', async () => {
  const rows = await database.sql<{ status: OrderStatus; transmissionState: TransmissionState; open: boolean }[]>`
    select status, transmission_state, is_open_order(status, transmission_state) as open
    from unnest(${Object.keys(STATUSES)}::text[]) as status, unnest(${Object.keys(TRANSMISSIONS)}::text[]) as transmission_state`;
  expect(rows).toHaveLength(24);
  expect(rows.filter((row) => row.open !== (settlementState(row) === 'pending'))).toEqual([]);
});
