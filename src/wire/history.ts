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

const historyEvent = z.object({
  at: timestamp('When it happened.'),
  type: z
    .string()
    .describe(
      'Type of the feed item, or `quote.issued`, `reserve.confirmed`, `transmission.sent`, `transmission.answered`, `venue.evidence` or `webhook.attempted`.',
    ),
  text: z.string().describe('One sentence for people.'),
  money: itemMoney.optional().describe('The money of the feed item, as the feed has it; absent if it has none.'),
});

const INSTRUCTION_TYPES = ['hold', 'debit', 'release', 'credit'] as const;

const instruction = z.object({
  at: timestamp('When the operator was told this amount first.'),
  type: z.enum(INSTRUCTION_TYPES).describe('What to do in your own ledger.'),
  amount: amount('All of it that was told so far.'),
  key: z
    .string()
    .describe('Book it once under this key: the `orderId`, or the `stl_` id of the settlement of the whole position.'),
});

export const orderHistory = z
  .object({
    order: orderDetail.describe('The order with its intent and its fills.'),
    sentence: z.string().describe("The state of the customer's money, in words for the customer."),
    timeline: z.array(historyEvent).describe('Oldest first.'),
    instructions: z
      .array(instruction)
      .describe('What your own ledger should hold for the order, one amount for each type and key.'),
    webhooks: z
      .array(delivery)
      .describe('The deliveries of its events and of the settlement of its position, oldest first.'),
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
