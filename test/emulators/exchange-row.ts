/** One row of the specification's table of transitions, or of rulings 6, for a live order at an exchange; and the steps that rows share. */
import { expect } from 'vitest';
import type { Fault } from '../../src/emulators/faults.ts';
import type { OperatorSettings } from '../../src/operators/operator-settings.ts';
import type { Tenant } from '../support/live.ts';
import { until } from '../support/until.ts';

export type Exchange = 'kalshi' | 'polymarket';
/** `none`: nothing has to go wrong. A text: why the row does not happen there. */
export type AtExchange = Fault | 'none' | { readonly never: string };

export interface ExchangeRow {
  readonly row: string;
  readonly at: Readonly<Record<Exchange, AtExchange>>;
  readonly settings?: OperatorSettings;
  /** @returns the order's id. */
  drive(tenant: Tenant): Promise<string>;
  readonly told: readonly string[];
  readonly events: readonly string[];
  readonly ends: {
    readonly status: string;
    readonly transmissionState: 'not_transmitted' | 'unknown' | 'resolved';
    readonly settlementState: 'pending' | 'settled';
  };
  /** Whether money is debited. */
  readonly debited: boolean;
  /** Orders at the exchange under the ids of the attempt. */
  readonly there: 0 | 1;
}

/** An exchange that renders thousands of lines on a busy machine. */
const SLOWEST_MS = 60_000;
/** Longer than the worker takes to send what may be sent. */
const SOON_MS = 1_500;
export const RECORDED = '>reserve_pending';
export const CONFIRMED = 'reserve_pending>pending_venue_execution';
export const IN_ONE_CALL = '>pending_venue_execution';
export const SENT = 'pending_venue_execution>submitted';
export const ANYWHERE = { kalshi: 'none', polymarket: 'none' } as const;

export function waitFor(tenant: Tenant, orderId: string, status: string, transmissionState: string): Promise<unknown> {
  return until(
    () => tenant.read(orderId),
    (order) => order.status === status && order.transmissionState === transmissionState,
    SLOWEST_MS,
  );
}

/** Quotes until the prices of the exchange are known, then orders. */
export async function place(tenant: Tenant, order: object = {}) {
  await until(
    async () => (await tenant.quote('ana')).status,
    (status) => status === 200,
    SLOWEST_MS,
  );
  return tenant.place('ana', order);
}

export async function recorded(tenant: Tenant): Promise<string> {
  const placed = await place(tenant);
  expect(placed.status, placed.text).toBe(201);
  return placed.body.orderId;
}

export async function confirmed(tenant: Tenant): Promise<string> {
  const orderId = await recorded(tenant);
  expect((await tenant.confirm(orderId)).status).toBe(200);
  return orderId;
}

/** Nothing happens to it, though the worker could. */
export async function stays(orderId: string): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, SOON_MS));
  return orderId;
}
