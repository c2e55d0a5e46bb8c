/** Rows of the table that end before anything is sent: nothing of them is ever at an exchange. */
import { expect } from 'vitest';
import {
  ANYWHERE,
  CONFIRMED,
  confirmed,
  type ExchangeRow,
  IN_ONE_CALL,
  place,
  RECORDED,
  recorded,
  stays,
} from './exchange-row.ts';

const SHUT = { executionConfirmed: false } as const;
const WAITS = {
  status: 'pending_venue_execution',
  transmissionState: 'not_transmitted',
  settlementState: 'pending',
} as const;
const WITHDRAWN = { status: 'cancelled', transmissionState: 'not_transmitted', settlementState: 'settled' } as const;

function withdrawnBy(column: string, value: unknown): ExchangeRow['drive'] {
  return async (tenant) => {
    const orderId = await confirmed(tenant);
    await tenant.set(column, value);
    await tenant.set('execution_confirmed', true);
    return orderId;
  };
}

export const ROWS_BEFORE_SENDING: readonly ExchangeRow[] = [
  {
    row: 'none to reserve_pending, which nothing sends though both gates are open',
    at: ANYWHERE,
    drive: async (tenant) => stays(await recorded(tenant)),
    told: [RECORDED],
    events: ['order.intent_recorded'],
    ends: { ...WAITS, status: 'reserve_pending' },
    debited: false,
    there: 0,
  },
  {
    row: 'none to pending_venue_execution by reserveReference; it stays while the account is not confirmed',
    at: ANYWHERE,
    settings: SHUT,
    drive: async (tenant) => stays((await place(tenant, { reserveReference: 'r' })).body.orderId),
    told: [IN_ONE_CALL],
    events: ['order.intent_recorded'],
    ends: WAITS,
    debited: false,
    there: 0,
  },
  {
    row: 'reserve_pending to pending_venue_execution by confirm-reserve, twice; it stays while it is not armed',
    at: ANYWHERE,
    settings: { arming: 'manual' },
    drive: async (tenant) => {
      const orderId = await confirmed(tenant);
      expect((await tenant.confirm(orderId)).status).toBe(200);
      return stays(orderId);
    },
    told: [RECORDED, CONFIRMED],
    events: ['order.intent_recorded'],
    ends: WAITS,
    debited: false,
    there: 0,
  },
  {
    row: 'reserve_pending to cancelled by cancel',
    at: ANYWHERE,
    drive: async (tenant) => {
      const orderId = await recorded(tenant);
      expect((await tenant.cancel(orderId)).body).toMatchObject({ actualDebit: '0.00', releaseAmount: '10.00' });
      return orderId;
    },
    told: [RECORDED, 'reserve_pending>cancelled'],
    events: ['order.intent_recorded', 'order.cancelled'],
    ends: WITHDRAWN,
    debited: false,
    there: 0,
  },
  {
    row: 'pending_venue_execution to cancelled by cancel',
    at: ANYWHERE,
    settings: SHUT,
    drive: async (tenant) => {
      const orderId = await confirmed(tenant);
      expect((await tenant.cancel(orderId)).body).toMatchObject({ actualDebit: '0.00', releaseAmount: '10.00' });
      return orderId;
    },
    told: [RECORDED, CONFIRMED, 'pending_venue_execution>cancelled'],
    events: ['order.intent_recorded', 'order.cancelled'],
    ends: WITHDRAWN,
    debited: false,
    there: 0,
  },
  ...(
    [
      ['a trading pause', 'trading_paused', true],
      ['a cap on one order', 'max_order_minor', 999n],
      ['a cap on all exposure', 'total_exposure_minor', 999n],
      ['a cap on the exposure of one player', 'player_exposure_minor', 999n],
    ] as const
  ).map(
    ([what, column, value]): ExchangeRow => ({
      row: `pending_venue_execution to cancelled by ${what}`,
      at: ANYWHERE,
      settings: SHUT,
      drive: withdrawnBy(column, value),
      told: [RECORDED, CONFIRMED, 'pending_venue_execution>cancelled'],
      events: ['order.intent_recorded', 'order.cancelled'],
      ends: WITHDRAWN,
      debited: false,
      there: 0,
    }),
  ),
];
