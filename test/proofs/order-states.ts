/** Live orders brought into each state of contract 12.1, and what feed and webhooks tell of each. */
import { expect } from 'vitest';
import type { OrderToPlace } from '../../src/venues/port.ts';
import type { Tenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import type { Live } from '../support/world.ts';

export const half = (order: OrderToPlace) => order.quantityMicros / 2n - ((order.quantityMicros / 2n) % 10_000n);
export const settled = (tenant: Tenant, orderId: string, status: string, transmissionState?: string) =>
  until(
    () => tenant.read(orderId),
    (one) => one.status === status && (transmissionState ?? one.transmissionState) === one.transmissionState,
  );

/** A live order in the state that its name says, with the venue scripted for it. Recorded, then confirmed, so that no call waits. */
export const STATES = {
  reserve_pending: async (tenant: Tenant) => record(tenant),
  pending_venue_execution: async (tenant: Tenant) => {
    await tenant.set('execution_confirmed', false);
    return confirmed(tenant, 'pending_venue_execution', 'not_transmitted');
  },
  'submitted, silent': async (tenant: Tenant, live: Live) => {
    live.venue.script = () => live.venue.silence();
    return confirmed(tenant, 'submitted', 'unknown');
  },
  'submitted, working': async (tenant: Tenant, live: Live) => {
    live.venue.script = (order) => live.venue.accept(order, [], 'working');
    return confirmed(tenant, 'submitted', 'unknown');
  },
  'partially_filled, working': async (tenant: Tenant, live: Live) => {
    live.venue.script = (order) => live.venue.accept(order, [half(order)], 'working');
    return confirmed(tenant, 'partially_filled', 'unknown');
  },
  'partially_filled, fee unknown': async (tenant: Tenant, live: Live) => {
    live.venue.script = (order) => live.venue.fillWhole(order, null);
    return confirmed(tenant, 'partially_filled', 'unknown');
  },
  'partially_filled, closed': async (tenant: Tenant, live: Live) => {
    live.venue.script = (order) => live.venue.accept(order, [half(order)], 'closed');
    return confirmed(tenant, 'partially_filled', 'resolved');
  },
  filled: async (tenant: Tenant) => confirmed(tenant, 'filled', 'resolved'),
  rejected: async (tenant: Tenant, live: Live) => {
    live.venue.script = () => ({ outcome: 'rejected', reason: 'market halted', order: null });
    return confirmed(tenant, 'rejected', 'resolved');
  },
  'cancelled by the venue': async (tenant: Tenant, live: Live) => {
    live.venue.script = (order) => live.venue.accept(order, [], 'closed');
    return confirmed(tenant, 'cancelled', 'resolved');
  },
  'cancelled by the operator': async (tenant: Tenant) => {
    const orderId = await record(tenant);
    expect((await tenant.cancel(orderId)).status).toBe(200);
    return orderId;
  },
  'withdrawn by the service': async (tenant: Tenant) => {
    const orderId = await STATES.pending_venue_execution(tenant);
    await tenant.set('trading_paused', true);
    await settled(tenant, orderId, 'cancelled', 'not_transmitted');
    return orderId;
  },
} as const;

export type StateName = keyof typeof STATES;

export async function record(tenant: Tenant): Promise<string> {
  const placed = await tenant.place('ana');
  expect(placed.status, placed.text).toBe(201);
  expect(placed.body.status).toBe('reserve_pending');
  return placed.body.orderId;
}

async function confirmed(tenant: Tenant, status: string, transmissionState: string): Promise<string> {
  const orderId = await record(tenant);
  expect((await tenant.confirm(orderId)).status).toBe(200);
  await settled(tenant, orderId, status, transmissionState);
  return orderId;
}

export const RECORDED = '>reserve_pending';
export const CONFIRMED = 'reserve_pending>pending_venue_execution';
export const SENT = 'pending_venue_execution>submitted';
export const NOTHING_BOOKED = {
  actualDebit: '0.00',
  releaseAmount: '10.00',
  tradeAmount: '0.00',
  platformFee: '0.00',
  venueFee: '0.00',
};

export interface Row {
  readonly state: StateName;
  readonly told: readonly string[];
  readonly events: readonly string[];
  readonly settlementState: 'pending' | 'settled';
  /** Whether nothing is booked. */
  readonly nothing: boolean;
  readonly sends: 0 | 1;
}

export const ROWS: readonly Row[] = [
  { state: 'reserve_pending', told: [RECORDED], events: [], settlementState: 'pending', nothing: true, sends: 0 },
  {
    state: 'pending_venue_execution',
    told: [RECORDED, CONFIRMED],
    events: [],
    settlementState: 'pending',
    nothing: true,
    sends: 0,
  },
  {
    state: 'submitted, silent',
    told: [RECORDED, CONFIRMED, SENT],
    events: [],
    settlementState: 'pending',
    nothing: true,
    sends: 1,
  },
  {
    state: 'submitted, working',
    told: [RECORDED, CONFIRMED, SENT],
    events: [],
    settlementState: 'pending',
    nothing: true,
    sends: 1,
  },
  {
    state: 'partially_filled, working',
    told: [RECORDED, CONFIRMED, SENT, 'submitted>partially_filled'],
    events: ['order.filled'],
    settlementState: 'pending',
    nothing: true,
    sends: 1,
  },
  {
    state: 'partially_filled, fee unknown',
    told: [RECORDED, CONFIRMED, SENT, 'submitted>partially_filled'],
    events: ['order.filled'],
    settlementState: 'pending',
    nothing: true,
    sends: 1,
  },
  {
    state: 'partially_filled, closed',
    told: [RECORDED, CONFIRMED, SENT, 'submitted>partially_filled'],
    events: ['order.filled', 'order.completed'],
    settlementState: 'settled',
    nothing: false,
    sends: 1,
  },
  {
    state: 'filled',
    told: [RECORDED, CONFIRMED, SENT, 'submitted>filled'],
    events: ['order.filled'],
    settlementState: 'settled',
    nothing: false,
    sends: 1,
  },
  {
    state: 'rejected',
    told: [RECORDED, CONFIRMED, SENT, 'submitted>rejected'],
    events: ['order.rejected'],
    settlementState: 'settled',
    nothing: true,
    sends: 1,
  },
  {
    state: 'cancelled by the venue',
    told: [RECORDED, CONFIRMED, SENT, 'submitted>cancelled'],
    events: ['order.completed'],
    settlementState: 'settled',
    nothing: true,
    sends: 1,
  },
  {
    state: 'cancelled by the operator',
    told: [RECORDED, 'reserve_pending>cancelled'],
    events: ['order.cancelled'],
    settlementState: 'settled',
    nothing: true,
    sends: 0,
  },
  {
    state: 'withdrawn by the service',
    told: [RECORDED, CONFIRMED, 'pending_venue_execution>cancelled'],
    events: ['order.cancelled'],
    settlementState: 'settled',
    nothing: true,
    sends: 0,
  },
];
