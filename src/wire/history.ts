/**
 * The history of one order on the wire: what happened to it, the money that its operator was told to book, and the deliveries of its
 * events (contract 11.17). An addition to the partner interface.
 */
import { z } from 'zod';
import { itemMoney } from './feed.ts';
import { amount, timestamp } from './money.ts';
import { orderDetail } from './order.ts';
import { reference } from './page.ts';
import { delivery } from './webhook.ts';

const historyEvent = z
  .object({
    at: timestamp('Time of the event.'),
    type: z
      .string()
      .describe(
        'Type of the feed item, or one of `quote.issued`, `reserve.confirmed`, `transmission.sent`, `transmission.answered`, `venue.evidence` and `webhook.attempted`.',
      ),
    text: z.string().describe('The event in words, for people.'),
    money: itemMoney.optional().describe('Money of the feed item, as in the feed. Absent if the item has none.'),
  })
  .meta({ id: 'OrderHistoryEvent' });

const INSTRUCTION_TYPES = ['hold', 'debit', 'release', 'credit'] as const;

const instruction = z
  .object({
    at: timestamp('Time at which the operator was first told this amount.'),
    type: z.enum(INSTRUCTION_TYPES).describe('Kind of booking in your own ledger.'),
    amount: amount('Total amount that was told so far.'),
    key: z
      .string()
      .describe(
        'Key under which to book it once: the `orderId`, or the `stl_` id of the settlement of the whole position.',
      ),
  })
  .meta({ id: 'OrderInstruction' });

export const orderHistory = z
  .object({
    order: orderDetail.describe('The order, with its intent and its fills.'),
    sentence: z.string().describe("State of the customer's money, in a sentence for the customer."),
    timeline: z.array(historyEvent).describe('Events, oldest first.'),
    instructions: z
      .array(instruction)
      .describe('Bookings that your own ledger should have for the order, one for each type and key.'),
    webhooks: z
      .array(delivery)
      .describe('Deliveries of its events and of the settlement of its position, oldest first.'),
  })
  .meta({ id: 'OrderHistory' });

export type OrderHistory = z.infer<typeof orderHistory>;
export type HistoryEvent = z.infer<typeof historyEvent>;
export type Instruction = z.infer<typeof instruction>;

export const historyQuery = z.object({
  externalUserId: reference
    .optional()
    .describe("The operator's own id of the customer: the id in the path may then be a `clientOrderId`."),
});
