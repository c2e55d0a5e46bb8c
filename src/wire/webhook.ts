/**
 * Webhooks on the wire: the envelope and the payload of each of the seven types (contract chapter 26). Strict: a field that
 * the contract does not name is a mistake of ours. The money statements write them.
 */
import { z } from 'zod';
import {
  action,
  amount,
  currency,
  operatorExitMoney,
  operatorMoney,
  price,
  quantity,
  settlementMoney,
  side,
  simulated,
  timestamp,
} from './money.ts';
import { ORDER_STATUSES, TRANSMISSION_STATES } from './order.ts';
import { clampedPage, cursor, hasMore, nextCursor, pageLimit, repeatableOf, waitSeconds, watermark } from './page.ts';
import { OUTCOMES, RESOLUTIONS } from './reconciliation.ts';

const ownOrder = {
  orderId: z.string(),
  executionRef: z.string().describe('Stable support reference.'),
  externalUserId: z.string().describe("The operator's own id of the customer."),
  clientOrderId: z.string().describe("The operator's id of the order."),
};
const contractId = z.string().regex(/^ctr_/).describe('The `ctr_` id.');
const traded = { contractId, side, action };
const status = z.enum(ORDER_STATUSES);
const transmissionState = z.enum(TRANSMISSION_STATES).describe('Whether a venue may have the order.');
const resolution = z.enum(RESOLUTIONS).describe('How the contract resolved.');
const cumulative = {
  operatorMoney: operatorMoney.nullable().describe('Cumulative for the order; null on a sell.'),
  operatorExitMoney: operatorExitMoney
    .nullable()
    .describe('Cumulative, of the fills whose venue fee is known: it only grows. Null on a buy.'),
};

const intentRecorded = z
  .strictObject({
    ...ownOrder,
    authorizationAmount: amount('Reserve and hold this.'),
    currency,
    transmitted: z.literal(false),
  })
  .describe('A live order was recorded and nothing was sent. Reserve and hold.');

const fillMoney = z
  .strictObject({
    currency,
    tradeAmount: amount('Spent on, or received for, the contracts of this fill.'),
    platformFee: amount("The platform's fee on this fill."),
    venueFee: amount('Fee that the venue took on this fill.'),
    venueFeeKnown: z.boolean(),
    actualDebit: amount('Debit of this fill.').nullable(),
    sellProceeds: amount('Proceeds of this fill; 0.00 while its venue fee is being read.').nullable(),
  })
  .describe('Itemisation of this fill only; book from `operatorMoney`.');

const filled = z
  .strictObject({
    ...ownOrder,
    ...traded,
    fillId: z.string(),
    fillQuantity: quantity('Of this fill.'),
    fillPrice: price('Of this fill.'),
    filledQuantity: quantity('Of the order to date.'),
    averagePrice: price('Of the order to date.'),
    status,
    transmissionState,
    ...cumulative,
    simulated,
    fillSequence: z.int().positive().optional().describe('1, 2, ...: keep the highest applied, ignore a lower one.'),
    partial: z.boolean().optional().describe('Whether less is matched than was asked.'),
    final: z.boolean().optional().describe('True exactly when `transmissionState` is `resolved`.'),
    fillMoney: fillMoney.optional(),
  })
  .describe('One event per fill. Book the difference of `operatorMoney` to what was applied before.');

const completed = z
  .strictObject({
    ...ownOrder,
    ...traded,
    status,
    outcome: z.enum(['complete', 'closed_partial', 'closed_unfilled']).describe('How much was filled in the end.'),
    filledQuantity: quantity('Held in the end.'),
    averagePrice: price('Of the whole order.').nullable(),
    fillCount: z.int().nonnegative(),
    transmissionState,
    final: z.literal(true).describe('The money is final.'),
    partial: z.boolean().describe('Whether less is matched than was asked.'),
    ...cumulative,
    releaseAmount: amount('Hand this back.'),
    currency,
    simulated,
  })
  .describe('The money of an order is final that was not with the venue’s first answer. Once per order.');

const rejected = z
  .strictObject({
    ...ownOrder,
    reason: z.string(),
    operatorMoney: operatorMoney.nullable().describe('The whole authorization as `releaseAmount`; null on a sell.'),
  })
  .describe('The order was refused; nothing was filled.');

const cancelled = z
  .strictObject({
    ...ownOrder,
    action,
    cancellationId: z.string().describe('Idempotency key of the release; the `orderId` names the same one.'),
    currency,
    authorizationAmount: amount('What was held; of a sell nothing is.'),
    actualDebit: z.literal('0.00'),
    releaseAmount: amount('Give this back.'),
    reason: z.string().nullable(),
    transmitted: z.boolean(),
  })
  .describe('An untransmitted order was withdrawn.');

const settled = z
  .strictObject({
    positionId: z.string(),
    settlementId: z.string().describe('Idempotency key of the credit.'),
    externalUserId: z.string(),
    contractId,
    side,
    resolution,
    outcome: z.enum(OUTCOMES).describe('How it ended for the position.'),
    contracts: quantity('Settled.'),
    costBasis: amount('Cash spent on what was held.'),
    entryFees: amount('Fees in the cost basis.'),
    payout: amount('What the settlement pays.'),
    realisedPnl: amount('Of this settlement.'),
    lifetimeRealisedPnl: amount('Of the position since it opened.'),
    operatorMoney: settlementMoney,
    simulated,
  })
  .describe('A position settled: the same fact as in the settlements register.');

const resolutionChanged = z
  .strictObject({
    contractId,
    settledResolution: resolution.describe('What was paid.'),
    currentResolution: resolution.nullable().describe('What holds now; null when withdrawn.'),
    affectedPositionIds: z.array(z.string()).optional(),
    affectedPositionId: z.string().describe('The first of them.'),
    action: z.literal('operator_review_required').describe('A person looks at it.'),
  })
  .describe('A resolution changed after positions settled. No money moves by itself.');

/** By event type, in the order of the contract. */
export const WEBHOOK_PAYLOADS = {
  'order.intent_recorded': intentRecorded,
  'order.filled': filled,
  'order.rejected': rejected,
  'order.completed': completed,
  'order.cancelled': cancelled,
  'position.settled': settled,
  'market.resolution_changed': resolutionChanged,
} as const;

export type WebhookEventType = keyof typeof WEBHOOK_PAYLOADS;

/** The seven types of event (contract chapter 26). */
export const WEBHOOK_EVENT_TYPES = Object.keys(WEBHOOK_PAYLOADS) as readonly WebhookEventType[];

export function isWebhookEventType(text: string): text is WebhookEventType {
  return WEBHOOK_EVENT_TYPES.some((type) => type === text);
}

export type WebhookPayload<T extends WebhookEventType> = z.infer<(typeof WEBHOOK_PAYLOADS)[T]>;

/** The body of a delivery of one type. */
export const webhookEnvelope = (type: WebhookEventType) =>
  z.strictObject({
    id: z.string().describe('The same on each attempt.'),
    type: z.literal(type),
    dedupeKey: z.string().describe('One per fact. Opaque: compare it whole.'),
    createdAt: timestamp(
      'When this attempt was made, not when the fact happened; in `GET /webhook-events`, when the event was recorded.',
    ),
    data: WEBHOOK_PAYLOADS[type],
  });

const [firstEnvelope, ...otherEnvelopes] = WEBHOOK_EVENT_TYPES.map(webhookEnvelope);

/** An event of any type, as it is delivered. */
const webhookEvent = z
  .discriminatedUnion('type', [firstEnvelope as ReturnType<typeof webhookEnvelope>, ...otherEnvelopes])
  .meta({ id: 'WebhookEvent' });

export const webhookEventPage = z
  .object({
    events: z.array(webhookEvent).describe('Oldest first, each as it is delivered.'),
    nextCursor: watermark,
    hasMore,
  })
  .meta({ id: 'WebhookEventPage' });

export const webhookEventQuery = z.object({
  cursor,
  limit: pageLimit(500, 100),
  type: repeatableOf(WEBHOOK_EVENT_TYPES, 'Repeatable; an unknown one is 400 `invalid_type`, which names all.'),
  orderId: z.string().optional().describe('Only events about this order.'),
  last: z
    .string()
    .regex(/^\d{1,3}$/, 'a whole number from 0 to 999')
    .transform(Number)
    .optional()
    .meta({ type: 'integer', minimum: 0, maximum: 999 })
    .describe('Without a cursor: begins this many events before the end.'),
  wait: waitSeconds,
});

export const webhookEndpoints = z
  .object({
    endpoints: z
      .array(
        z.object({
          endpointId: z.string().describe('Id of the endpoint.'),
          url: z.string().describe('Where its events are sent.'),
          events: z.array(z.enum(WEBHOOK_EVENT_TYPES)).describe('The types that it takes.'),
          enabled: z.boolean().describe('Whether events are sent to it.'),
          disabledReason: z
            .enum(['operator', 'gone'])
            .nullable()
            .describe('`gone` if it answered 410, `operator` if it was disabled by hand; null while it is enabled.'),
          createdAt: timestamp('When it was registered.'),
        }),
      )
      .describe('Oldest first.'),
  })
  .meta({ id: 'WebhookEndpointList' });

export type WebhookEndpoints = z.infer<typeof webhookEndpoints>;

export const DELIVERY_STATUSES = ['pending', 'delivered', 'exhausted'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const attempt = z.object({
  at: timestamp('When it began.'),
  status: z.int().nullable().describe('HTTP status of the response; null if there was none.'),
  ms: z.int().min(0).describe('How long it took, in milliseconds.'),
  error: z.string().nullable().describe('Why it failed; null if it was acknowledged.'),
});

/** A delivery as its operator reads it. */
export const delivery = z
  .object({
    deliveryId: z.string().describe('Id of the delivery.'),
    endpointId: z.string().describe('The endpoint that it goes to.'),
    eventId: z.string().describe('The `id` of the event.'),
    type: z.string().describe('Type of the event.'),
    orderId: z.string().nullable().describe('The order that the event is about; null if it is about none.'),
    status: z.enum(DELIVERY_STATUSES).describe('`exhausted` was given up, and can be sent again.'),
    createdAt: timestamp('When it was queued.'),
    attempts: z.array(attempt).describe('The attempts that are still kept, oldest first.'),
  })
  .meta({ id: 'WebhookDelivery' });

export type Delivery = z.infer<typeof delivery>;

export const deliveryPage = z
  .object({ deliveries: z.array(delivery).describe('Newest first.'), nextCursor, hasMore })
  .meta({ id: 'WebhookDeliveryPage' });

export type DeliveryPage = z.infer<typeof deliveryPage>;

export const deliveryQuery = z.object({
  endpointId: z.string().optional().describe('Only deliveries to this endpoint.'),
  eventId: z.string().optional().describe('Only deliveries of this event.'),
  orderId: z.string().optional().describe('Only deliveries of events about this order.'),
  status: repeatableOf(DELIVERY_STATUSES, 'Repeatable; an unknown one gives an empty page.'),
  ...clampedPage,
});
