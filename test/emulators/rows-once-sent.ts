/** Rows of the table once an order is sent, each with what makes it happen at the exchange, or why it does not happen there. */
import { expect } from 'vitest';
import type { Fault } from '../../src/emulators/faults.ts';
import {
  ANYWHERE,
  CONFIRMED,
  confirmed,
  type ExchangeRow,
  IN_ONE_CALL,
  place,
  RECORDED,
  SENT,
  stays,
} from './exchange-row.ts';

const RESOLVED = { transmissionState: 'resolved', settlementState: 'settled' } as const;
const FIVE_CONTRACTS = 5_000_000n;

const refusal = (body: object): Fault => ({ kind: 'status', status: 400, body });

export const ROWS_ONCE_SENT: readonly ExchangeRow[] = [
  {
    row: 'pending_venue_execution to submitted, and submitted to filled',
    at: ANYWHERE,
    drive: confirmed,
    told: [RECORDED, CONFIRMED, SENT, 'submitted>filled'],
    events: ['order.intent_recorded', 'order.filled'],
    ends: { status: 'filled', ...RESOLVED },
    debited: true,
    there: 1,
  },
  {
    row: 'submitted to partially_filled, which stays so once the exchange closed the order',
    at: {
      kalshi: { kind: 'partial', count: FIVE_CONTRACTS },
      polymarket: { kind: 'partial', count: FIVE_CONTRACTS },
    },
    drive: confirmed,
    told: [RECORDED, CONFIRMED, SENT, 'submitted>partially_filled'],
    events: ['order.intent_recorded', 'order.filled', 'order.completed'],
    ends: { status: 'partially_filled', ...RESOLVED },
    debited: true,
    there: 1,
  },
  {
    row: 'partially_filled to filled',
    at: {
      kalshi: { never: 'an immediate_or_cancel order is closed with its last fill' },
      polymarket: {
        never: 'a FAK order is closed with its only match, and all its parts are confirmed by one transaction',
      },
    },
    drive: confirmed,
    told: [],
    events: [],
    ends: { status: 'filled', ...RESOLVED },
    debited: true,
    there: 1,
  },
  {
    row: 'submitted to rejected, because the exchange refuses',
    at: {
      kalshi: refusal({ code: 'market_inactive', message: 'MARKET_INACTIVE' }),
      polymarket: refusal({ error: 'the market is not yet ready to process new orders' }),
    },
    drive: confirmed,
    told: [RECORDED, CONFIRMED, SENT, 'submitted>rejected'],
    events: ['order.intent_recorded', 'order.rejected'],
    ends: { status: 'rejected', ...RESOLVED },
    debited: false,
    there: 0,
  },
  {
    row: 'submitted to cancelled, because the exchange closed it unfilled',
    at: { kalshi: { kind: 'partial', count: 0n }, polymarket: { kind: 'trade_fails' } },
    drive: confirmed,
    told: [RECORDED, CONFIRMED, SENT, 'submitted>cancelled'],
    events: ['order.intent_recorded', 'order.completed'],
    ends: { status: 'cancelled', ...RESOLVED },
    debited: false,
    there: 1,
  },
  {
    row: 'submitted, and no answer: 409, held and not cancellable, then filled by a look-up',
    at: { kalshi: { kind: 'timeout_after_apply' }, polymarket: { kind: 'timeout_after_apply' } },
    drive: async (tenant) => {
      const refused = await place(tenant, { reserveReference: 'r' });
      expect([refused.status, refused.body.error], refused.text).toEqual([409, 'reconciliation_required']);
      const cancelled = await tenant.cancel(refused.body.orderId);
      expect([cancelled.status, cancelled.body.error]).toEqual([409, 'order_not_cancellable']);
      return refused.body.orderId;
    },
    told: [IN_ONE_CALL, SENT, 'submitted>filled'],
    events: ['order.intent_recorded', 'order.filled'],
    ends: { status: 'filled', ...RESOLVED },
    debited: true,
    there: 1,
  },
  {
    row: 'submitted, and nothing of it at the exchange: it stays submitted, and its money is held',
    at: { kalshi: { kind: 'timeout_before_apply' }, polymarket: { kind: 'timeout_before_apply' } },
    drive: async (tenant) => {
      const refused = await place(tenant, { reserveReference: 'r' });
      expect([refused.status, refused.body.error], refused.text).toEqual([409, 'reconciliation_required']);
      return stays(refused.body.orderId);
    },
    told: [IN_ONE_CALL, SENT],
    events: ['order.intent_recorded'],
    ends: { status: 'submitted', transmissionState: 'unknown', settlementState: 'pending' },
    debited: false,
    there: 0,
  },
  {
    row: 'rejected keeps its key: a retry is the same order',
    at: {
      kalshi: refusal({ code: 'market_inactive', message: 'MARKET_INACTIVE' }),
      polymarket: refusal({ error: 'the market is not yet ready to process new orders' }),
    },
    drive: async (tenant) => {
      await place(tenant, { clientOrderId: 'unused' }).then(({ body }) => tenant.cancel(body.orderId));
      const quoted = await tenant.quote('ana');
      const body = { quoteId: quoted.body.quoteId, clientOrderId: 'once', reserveReference: 'r' };
      const first = await tenant.order('ana', body);
      expect(first.body.status, first.text).toBe('rejected');
      expect((await tenant.order('ana', body)).body).toEqual({ ...first.body, idempotentReplay: true });
      return first.body.orderId;
    },
    told: [IN_ONE_CALL, SENT, 'submitted>rejected'],
    events: ['order.intent_recorded', 'order.rejected'],
    ends: { status: 'rejected', ...RESOLVED },
    debited: false,
    there: 0,
  },
];
