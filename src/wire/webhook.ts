/**
 * Webhooks on the wire: the envelope and the payload of each of the seven types (contract chapter 26). Strict: a field that
 * the contract does not name is a mistake of ours. The money statements write them. Each event and its payload have a name
 * in the OpenAPI document.
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
const contractId = z.string().regex(/^ctr_/);
const traded = { contractId, side, action };
const status = z.enum(ORDER_STATUSES).describe('State of the order.');
const transmissionState = z.enum(TRANSMISSION_STATES).describe('Whether a venue may have the order.');
const resolution = z.enum(RESOLUTIONS).describe('How the contract was resolved.');
const cumulative = {
  operatorMoney: operatorMoney.nullable().describe('Money of the whole order so far; null for a sell.'),
  operatorExitMoney: operatorExitMoney
    .nullable()
    .describe('Money of the fills so far whose venue fee is known. It only grows. Null for a buy.'),
};

const intentRecorded = z
  .strictObject({
    ...ownOrder,
    authorizationAmount: amount('Reserve and hold this.'),
    currency,
    transmitted: z.literal(false),
  })
  .meta({
    id: 'OrderIntentRecordedEventData',
    description: 'A live order was recorded, and nothing was sent. Reserve the authorization and hold it.',
  });

const fillMoney = z
  .strictObject({
    currency,
    tradeAmount: amount('Amount spent on, or received for, the contracts of this fill.'),
    platformFee: amount("The platform's fee on this fill."),
    venueFee: amount('Fee that the venue took on this fill.'),
    venueFeeKnown: z.boolean(),
    actualDebit: amount('Debit of this fill.').nullable(),
    sellProceeds: amount('Proceeds of this fill; 0.00 while its venue fee is being read.').nullable(),
  })
  .meta({ id: 'FillMoney', description: 'Details of this fill only. Book from `operatorMoney`.' });

const filled = z
  .strictObject({
    ...ownOrder,
    ...traded,
    fillId: z.string(),
    fillQuantity: quantity('Size of this fill.'),
    fillPrice: price('Price of this fill.'),
    filledQuantity: quantity('Quantity of the order so far.'),
    averagePrice: price('Average price of the order so far.'),
    status,
    transmissionState,
    ...cumulative,
    simulated,
    fillSequence: z
      .int()
      .positive()
      .optional()
      .describe(
        'Number of the fill in the order: 1, 2 and so on. Store the highest number that you applied, and ignore a lower one.',
      ),
    partial: z.boolean().optional().describe('Whether a part of the order did not fill.'),
    final: z.boolean().optional().describe('True exactly when `transmissionState` is `resolved`.'),
    fillMoney: fillMoney.optional(),
  })
  .meta({
    id: 'OrderFilledEventData',
    description:
      'An order was filled, in whole or in part. There is one event per fill. Book the difference between `operatorMoney` and the amounts that you applied before.',
  });

const completed = z
  .strictObject({
    ...ownOrder,
    ...traded,
    status,
    outcome: z.enum(['complete', 'closed_partial', 'closed_unfilled']).describe('How much of the order was filled.'),
    filledQuantity: quantity('Quantity filled in the end.'),
    averagePrice: price('Average price of the whole order.').nullable(),
    fillCount: z.int().nonnegative(),
    transmissionState,
    final: z.literal(true).describe('Always true. No event of this order follows.'),
    partial: z.boolean().describe('Whether a part of the order did not fill.'),
    ...cumulative,
    releaseAmount: amount('Give this back.'),
    currency,
    simulated,
  })
  .meta({
    id: 'OrderCompletedEventData',
    description:
      'The money of an order is now final, and it was not final in the first response of the venue. Sent once per order.',
  });

const rejected = z
  .strictObject({
    ...ownOrder,
    reason: z.string(),
    operatorMoney: operatorMoney
      .nullable()
      .describe('Money with the whole authorization as `releaseAmount`; null for a sell.'),
  })
  .meta({ id: 'OrderRejectedEventData', description: 'The order was refused, and nothing was filled.' });

const cancelled = z
  .strictObject({
    ...ownOrder,
    action,
    cancellationId: z.string().describe('Idempotency key of the release. The `orderId` identifies the same release.'),
    currency,
    authorizationAmount: amount('Amount that was held; 0.00 for a sell.'),
    actualDebit: z.literal('0.00'),
    releaseAmount: amount('Give this back.'),
    reason: z.string().nullable(),
    transmitted: z.boolean(),
  })
  .meta({ id: 'OrderCancelledEventData', description: 'An order that was not sent was withdrawn.' });

const settled = z
  .strictObject({
    positionId: z.string(),
    settlementId: z.string().describe('Idempotency key of the credit.'),
    externalUserId: z.string(),
    contractId,
    side,
    resolution,
    outcome: z.enum(OUTCOMES).describe('How the settlement ended for the position.'),
    contracts: quantity('Quantity settled.'),
    costBasis: amount('Cost of the settled contracts, fees included.'),
    entryFees: amount('Fees in the cost basis.'),
    payout: amount('Payout of the settlement.'),
    realisedPnl: amount('Profit of this settlement.'),
    lifetimeRealisedPnl: amount('Profit of the position since it opened.'),
    operatorMoney: settlementMoney,
    simulated,
  })
  .meta({
    id: 'PositionSettledEventData',
    description: 'A position settled. The settlements register has the same fact.',
  });

const resolutionChanged = z
  .strictObject({
    contractId,
    settledResolution: resolution.describe('Resolution on which positions were paid.'),
    currentResolution: resolution.nullable().describe('Current resolution; null if it was withdrawn.'),
    affectedPositionIds: z.array(z.string()).optional(),
    affectedPositionId: z.string().describe('The first of the affected positions.'),
    action: z
      .literal('operator_review_required')
      .describe('Always `operator_review_required`. A person decides what follows.'),
  })
  .meta({
    id: 'MarketResolutionChangedEventData',
    description: 'A resolution changed after positions had settled. The service moves no money by itself.',
  });

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

/** The body of a delivery. Its name in the OpenAPI document is of the form `OrderFilledEvent`. */
function eventOf(type: WebhookEventType) {
  return z
    .strictObject({
      id: z.string().describe('Id of the event. It is the same in each attempt.'),
      type: z.literal(type),
      dedupeKey: z.string().describe('Deduplication key, one per fact. Compare it as a whole.'),
      createdAt: timestamp(
        'Time of this attempt, not of the fact. In `GET /webhook-events`, the time at which the event was recorded.',
      ),
      data: WEBHOOK_PAYLOADS[type],
    })
    .meta({ id: `${type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event` });
}

export const WEBHOOK_EVENTS = WEBHOOK_EVENT_TYPES.map(eventOf);
const [firstEvent, ...otherEvents] = WEBHOOK_EVENTS;

/** An event of any type, as it is delivered. */
const webhookEvent = z
  .discriminatedUnion('type', [firstEvent as ReturnType<typeof eventOf>, ...otherEvents])
  .meta({ id: 'WebhookEvent' });

export const webhookEventPage = z
  .object({
    events: z.array(webhookEvent).describe('Events, oldest first, each as it is delivered.'),
    nextCursor: watermark,
    hasMore,
  })
  .meta({ id: 'WebhookEventPage' });

export const webhookEventQuery = z.object({
  cursor,
  limit: pageLimit(500, 100),
  type: repeatableOf(WEBHOOK_EVENT_TYPES, 'Repeatable; an unknown one is 400 `invalid_type`, which names all.'),
  orderId: z.string().optional().describe('Returns only events about this order.'),
  last: z
    .string()
    .regex(/^\d{1,3}$/, 'a whole number from 0 to 999')
    .transform(Number)
    .optional()
    .meta({ type: 'integer', minimum: 0, maximum: 999 })
    .describe('Without a cursor, the page begins this many events before the end.'),
  wait: waitSeconds,
});

/** An endpoint as its operator reads it, without its secret. */
const webhookEndpoint = z
  .object({
    endpointId: z.string().describe('Id of the endpoint.'),
    url: z.string().describe('Address to which its events are sent.'),
    events: z.array(z.enum(WEBHOOK_EVENT_TYPES)).describe('Types of events that it takes.'),
    enabled: z.boolean().describe('Whether events are sent to it.'),
    disabledReason: z
      .enum(['operator', 'gone'])
      .nullable()
      .describe(
        '`gone` if it answered 410, `operator` if the service operator disabled it, or null while it is enabled.',
      ),
    createdAt: timestamp('Time at which it was registered.'),
  })
  .meta({ id: 'WebhookEndpoint' });

export const webhookEndpoints = z
  .object({
    endpoints: z.array(webhookEndpoint).describe('Endpoints, oldest first.'),
  })
  .meta({ id: 'WebhookEndpointList' });

export type WebhookEndpoints = z.infer<typeof webhookEndpoints>;

export const DELIVERY_STATUSES = ['pending', 'delivered', 'exhausted'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const attempt = z
  .object({
    at: timestamp('Time at which the attempt began.'),
    status: z.int().nullable().describe('HTTP status of the response, or null if there was none.'),
    ms: z.int().min(0).describe('Duration in milliseconds.'),
    error: z.string().nullable().describe('Reason of the failure, or null if it was acknowledged.'),
  })
  .meta({ id: 'WebhookAttempt' });

/** A delivery as its operator reads it. */
export const delivery = z
  .object({
    deliveryId: z.string().describe('Id of the delivery.'),
    endpointId: z.string().describe('Id of the endpoint to which it is sent.'),
    eventId: z.string().describe('`id` of the event.'),
    type: z.string().describe('Type of the event.'),
    orderId: z.string().nullable().describe('Id of the order that the event is about, or null if it is about none.'),
    status: z
      .enum(DELIVERY_STATUSES)
      .describe('State of the delivery. An `exhausted` one was given up, and can be sent again.'),
    createdAt: timestamp('Time at which it was queued.'),
    attempts: z.array(attempt).describe('Attempts that are still stored, oldest first.'),
  })
  .meta({ id: 'WebhookDelivery' });

export type Delivery = z.infer<typeof delivery>;

export const deliveryPage = z
  .object({ deliveries: z.array(delivery).describe('Deliveries, newest first.'), nextCursor, hasMore })
  .meta({ id: 'WebhookDeliveryPage' });

export type DeliveryPage = z.infer<typeof deliveryPage>;

export const deliveryQuery = z.object({
  endpointId: z.string().optional().describe('Returns only deliveries to this endpoint.'),
  eventId: z.string().optional().describe('Returns only deliveries of this event.'),
  orderId: z.string().optional().describe('Returns only deliveries of events about this order.'),
  status: repeatableOf(DELIVERY_STATUSES, 'Repeatable; an unknown one gives an empty page.'),
  ...clampedPage,
});
