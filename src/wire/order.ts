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
    quantity: quantity('Size of this fill.'),
    price: price('Price of this fill.'),
    filledAt: timestamp('Time of the fill.'),
  })
  .meta({ id: 'Fill' });

const intent = z
  .object({
    recordedAt: timestamp('Time at which the order was recorded.'),
    reserveConfirmedAt: timestamp('Time at which the reserve was confirmed.').nullable(),
    reserveReference: z.string().nullable().describe("The operator's reference of its reserve."),
    cancellationId: z.string().nullable().describe('Id of the cancellation; null if the order was not withdrawn.'),
    releaseAmount: amount('Amount to release after the order was withdrawn.').nullable(),
    cancelledAt: timestamp('Time at which the order was withdrawn.').nullable(),
    reason: z.string().nullable().describe('The same as `cancelReason`.'),
  })
  .describe('The confirmation of the reserve and, after the order was withdrawn, the instruction for the release.')
  .meta({ id: 'OrderIntent' });

/** An order on a page. */
export const order = z
  .object({
    orderId: z.string().describe('Id of the order.'),
    clientOrderId: z.string().describe("The operator's own id of the order, which is the idempotency key."),
    externalUserId: z.string().describe("The operator's own id of the customer."),
    executionRef: z.string().describe('Stable support reference.'),
    status: z.enum(ORDER_STATUSES).describe('The state of the order.'),
    contractId: z.string().describe('The `ctr_` id.'),
    side,
    action,
    filledQuantity: quantity('Quantity filled so far.'),
    averagePrice: price('Volume-weighted average price of the fills.').nullable(),
    platformFee: display("The platform's fee in dollars."),
    platformFeeBps: z.int().describe('Fee rate of the quote, in basis points.'),
    notional: display('Filled trade amount of a buy, notional of a sell.'),
    stake: display('Dollars of a buy.').nullable(),
    rejectReason: z.string().nullable().describe('Code of the refusal; null unless `status` is `rejected`.'),
    cancelReason: z
      .string()
      .nullable()
      .describe(
        'Reason of the cancellation: the code for which the service withdrew the order, `operator_request` after a cancel call, or `closed_unfilled` if the venue closed it. Null unless `status` is `cancelled`.',
      ),
    simulated,
    createdAt: timestamp('Time at which the order was accepted.'),
    idempotentReplay: z.boolean().describe('Whether this response repeats an order that already existed.'),
    routing: z
      .object({
        reason: z.enum(ROUTING_REASONS).describe('Reason for the choice of the order book.'),
        consideredVenues: z.int().min(0).describe('Number of order books that were considered.'),
      })
      .meta({ id: 'OrderRouting' }),
    settlementState: z.enum(SETTLEMENT_STATES).describe('State of the money: `settled` once it is final.'),
    transmissionState: z.enum(TRANSMISSION_STATES).describe('Whether a venue may have the order.'),
    operatorMoney: operatorMoney.nullable().describe('Money of a buy; null for a sell.'),
    operatorExitMoney: operatorExitMoney
      .nullable()
      .describe('Money of the fills of a sell whose venue fee is known; null for a buy.'),
  })
  .meta({ id: 'Order' });

/** A single order: with its intent, and with its fills if they were requested. */
export const orderDetail = order
  .extend({
    intent: intent.optional().describe('Present if one order is read, or looked up by `clientOrderId`.'),
    fills: z.array(fill).optional().describe('Present only with `?fills=true`.'),
  })
  .meta({ id: 'OrderDetail' });

export const orderPage = z
  .object({
    orders: z
      .array(orderDetail)
      .describe('Orders, newest first. `intent` is present only in a look-up by `clientOrderId`.'),
    count,
    nextCursor,
    hasMore,
  })
  .meta({ id: 'OrderPage' });

export const cancellation = z
  .object({
    cancellationId: z.string().describe('Idempotency key of the release. The `orderId` identifies the same release.'),
    currency,
    authorizationAmount: amount('Amount that was reserved.'),
    actualDebit: amount('Always 0.00.'),
    releaseAmount: amount('Give this back.'),
    idempotentReplay: z.boolean().optional().describe('True for a repeated call.'),
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
  .describe("The operator's reference of its reserve. An empty text counts as absent.");

export const orderInput = z.object({
  quoteId: z.string().min(1).max(100).describe('The quote at which to order.'),
  clientOrderId: reference.describe('Idempotency key, unique per operator and customer.'),
  executionIntent: z
    .enum(['record_intent', 'simulate'])
    .nullish()
    .describe('By default `record_intent` for live operators and `simulate` for sandbox operators.'),
  reserveReference: reserveReference.describe('Confirms the reserve in the same call.'),
  maxSlippage: z
    .number()
    .min(0)
    .lt(1)
    .nullish()
    .describe('How much worse the price may be, in dollars per contract; by default 0, and at most 0.05.'),
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
    .meta({ type: 'boolean', description: 'Exactly `true` adds the fills.' }),
});

export const orderListQuery = z
  .object({
    externalUserId: userFilter,
    clientOrderId: reference.optional().describe('Only the order with this id. Needs `externalUserId`.'),
    executionRef: z.string().optional().describe('Only the order with this support reference.'),
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
  clientOrderId: reference.optional().describe('Only the order with this id.'),
  contractId: z
    .string()
    .optional()
    .describe('Only orders of this contract; together with `side`, the orders of one position.'),
  side: z.enum(['YES', 'NO']).optional().describe('Only orders of this side.'),
  status: repeatableOf(ORDER_STATUSES, 'Repeatable; an unknown one gives an empty page.'),
  ...clampedPage,
});
