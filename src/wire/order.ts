/**
 * Orders on the wire: as they are read, with fills, intent and cancellation (contract chapter 11), and the requests that
 * place, confirm, cancel, list and read them (contract chapter 10). It has no rules of trading.
 */
import { z } from 'zod';
import {
  action,
  amount,
  currency,
  display,
  operatorExitMoney,
  operatorMoney,
  price,
  quantity,
  side,
  simulated,
  timestamp,
} from './money.ts';
import { clampedPage, count, hasMore, moment, nextCursor, reference, repeatableOf, userFilter } from './page.ts';

export const ORDER_STATUSES = [
  'reserve_pending',
  'pending_venue_execution',
  'submitted',
  'partially_filled',
  'filled',
  'rejected',
  'cancelled',
  'pending',
] as const;
export const TRANSMISSION_STATES = ['not_transmitted', 'unknown', 'resolved'] as const;
export const SETTLEMENT_STATES = ['settled', 'pending'] as const;
const ROUTING_REASONS = ['single_venue', 'best_price', 'unverified_group'] as const;

const fill = z
  .object({
    fillId: z.string().describe('Id of the fill.'),
    quantity: quantity('Matched by this fill.'),
    price: price('Of this fill.'),
    filledAt: timestamp('When it matched.'),
  })
  .meta({ id: 'Fill' });

const intent = z
  .object({
    recordedAt: timestamp('When the order was recorded.'),
    reserveConfirmedAt: timestamp('When the reserve was confirmed.').nullable(),
    reserveReference: z.string().nullable().describe("The operator's reference of its reserve."),
    cancellationId: z.string().nullable().describe('Of the cancellation, once withdrawn.'),
    releaseAmount: amount('To be released, once withdrawn.').nullable(),
    cancelledAt: timestamp('When it was withdrawn.').nullable(),
    reason: z.string().nullable().describe('The same as `cancelReason`.'),
  })
  .describe('The reserve confirmation and, once withdrawn, the release instruction.')
  .meta({ id: 'OrderIntent' });

/** An order on a page. */
export const order = z
  .object({
    orderId: z.string().describe('Id of the order.'),
    clientOrderId: z.string().describe("The operator's id; the idempotency key."),
    externalUserId: z.string().describe("The operator's own id of the customer."),
    executionRef: z.string().describe('Stable support reference.'),
    status: z.enum(ORDER_STATUSES).describe('The state of the order.'),
    contractId: z.string().describe('The `ctr_` id.'),
    side,
    action,
    filledQuantity: quantity('Held: what the customer owns of this order.'),
    averagePrice: price('Volume-weighted over the fills.').nullable(),
    platformFee: display("The platform's fee in dollars."),
    platformFeeBps: z.int().describe('Fee rate of the quote, in basis points.'),
    notional: display('Filled trade amount of a buy, notional of a sell.'),
    stake: display('Dollars of a buy.').nullable(),
    rejectReason: z.string().nullable().describe('Why it was rejected; null unless `status` is `rejected`.'),
    cancelReason: z
      .string()
      .nullable()
      .describe(
        'Why it was cancelled: the code for which the service withdrew it, `operator_request` after a cancel call, `closed_unfilled` where the venue closed it. Null unless `status` is `cancelled`.',
      ),
    simulated,
    createdAt: timestamp('When it was accepted.'),
    idempotentReplay: z.boolean().describe('True where this answer replays an order that was there.'),
    routing: z
      .object({
        reason: z.enum(ROUTING_REASONS).describe('How the book was chosen.'),
        consideredVenues: z.int().min(0).describe('Number of books looked at.'),
      })
      .meta({ id: 'OrderRouting' }),
    settlementState: z.enum(SETTLEMENT_STATES).describe('`settled` once the money is final.'),
    transmissionState: z.enum(TRANSMISSION_STATES).describe('Whether a venue may have the order.'),
    operatorMoney: operatorMoney.nullable().describe('Money of a buy; null on a sell.'),
    operatorExitMoney: operatorExitMoney
      .nullable()
      .describe('Money of a sell, of the fills whose venue fee is known; null on a buy.'),
  })
  .meta({ id: 'Order' });

/** A single order: with its intent, and with its fills if they were requested. */
export const orderDetail = order
  .extend({
    intent: intent.optional().describe('On a single read and a `clientOrderId` look-up.'),
    fills: z.array(fill).optional().describe('With `?fills=true` only.'),
  })
  .meta({ id: 'OrderDetail' });

export const orderPage = z
  .object({
    orders: z.array(orderDetail).describe('Newest first; `intent` only on a `clientOrderId` look-up.'),
    count,
    nextCursor,
    hasMore,
  })
  .meta({ id: 'OrderPage' });

export const cancellation = z
  .object({
    cancellationId: z.string().describe('Idempotency key of the release; the `orderId` names the same one.'),
    currency,
    authorizationAmount: amount('What was reserved.'),
    actualDebit: amount('Always 0.00.'),
    releaseAmount: amount('Give this back.'),
    idempotentReplay: z.boolean().optional().describe('True on a repeated call.'),
  })
  .meta({ id: 'Cancellation' });

export type Fill = z.infer<typeof fill>;
export type Intent = z.infer<typeof intent>;
export type Order = z.infer<typeof order>;
export type OrderDetail = z.infer<typeof orderDetail>;
export type OrderPage = z.infer<typeof orderPage>;
export type Cancellation = z.infer<typeof cancellation>;

const reserveReference = z
  .union([reference, z.literal('')])
  .nullish()
  .describe("The operator's reference of its reserve; an empty text is as absent.");

export const orderInput = z.object({
  quoteId: z.string().min(1).max(100).describe('The quote to spend.'),
  clientOrderId: reference.describe('Idempotency key, unique per operator and customer.'),
  executionIntent: z
    .enum(['record_intent', 'simulate'])
    .nullish()
    .describe('Default `record_intent` for live tenants, `simulate` for sandbox.'),
  reserveReference: reserveReference.describe('Confirms the reserve in the same call.'),
  maxSlippage: z
    .number()
    .min(0)
    .lt(1)
    .nullish()
    .describe('Adverse price allowance in dollars a contract, default 0, clamped to 0.05.'),
});

/** The whole body is optional. */
export const confirmReserveInput = z.object({ reserveReference }).nullish().describe('Optional.');

/** The whole body is optional and is not read. */
export const cancelInput = z.object({}).nullish().describe('Optional, and empty.');

const TRUE = 'true';

export const orderQuery = z.object({
  fills: z
    .string()
    .optional()
    .transform((text) => text === TRUE)
    .meta({ type: 'boolean', description: '`true`, spelt so, adds the fills.' }),
});

export const orderListQuery = z
  .object({
    externalUserId: userFilter,
    clientOrderId: reference.optional().describe('The one order of this key; needs `externalUserId`.'),
    executionRef: z.string().optional().describe('The one order of this support reference.'),
    status: repeatableOf(ORDER_STATUSES, 'Repeatable; an unknown one gives an empty page.'),
    since: moment('Earliest `createdAt`, inclusive; ignored if it is not a date or date-time.'),
    until: moment('Latest `createdAt`, inclusive; ignored if it is not a date or date-time.'),
    ...clampedPage,
  })
  .refine((query) => query.clientOrderId === undefined || query.externalUserId !== undefined, {
    message: 'clientOrderId requires externalUserId',
    path: ['clientOrderId'],
  });

/** Strict: a browser that sends `reserveReference` or `executionIntent` gets an error, since only a partner may send them. */
export const frameOrderInput = z.strictObject({
  quoteId: orderInput.shape.quoteId,
  clientOrderId: orderInput.shape.clientOrderId,
  maxSlippage: orderInput.shape.maxSlippage,
});

export const frameOrderListQuery = z.object({
  clientOrderId: reference.optional().describe('The one order of this key.'),
  contractId: z.string().optional().describe('Orders of this contract; with `side`, those of one position.'),
  side: z.enum(['YES', 'NO']).optional().describe('Orders of this side.'),
  status: repeatableOf(ORDER_STATUSES, 'Repeatable; an unknown one gives an empty page.'),
  ...clampedPage,
});
