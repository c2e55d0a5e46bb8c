/** The named actions of scenario steps: their shapes, for the check of a file and its JSON Schema. */
import { z } from 'zod';

/** Text or a number; text may hold variables. */
const value = z.union([z.string(), z.number()]);
const user = value.describe("The operator's own id of the customer.");
const numeric = z.union([z.number(), z.string().regex(/\$\{[^}]+\}/, 'a number or a variable')]);
export const seconds = z.number().positive().max(3600);

const request = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE', 'PATCH']).default('GET').describe('HTTP method.'),
  path: z
    .string()
    .regex(/^(\/|\$\{)/, 'a path that begins with /')
    .describe('Path below the base URL, such as /api/v1/quotes; /quotes is short for it.'),
  query: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe('Query parameters.'),
  user: user.optional().describe('Sent as X-Service-User.'),
  body: z.unknown().optional().describe('Sent as JSON.'),
  headers: z.record(z.string(), value).optional().describe('Further headers; an empty Authorization sends no key.'),
});

const order = {
  clientOrderId: value.optional().describe('A new one by default.'),
  intent: z.string().optional().describe('record_intent or simulate.'),
  reserveReference: value.optional().describe('Confirms the reserve in the same call.'),
  maxSlippage: numeric.optional().describe('Accepted price increase in dollars per contract.'),
};
const line = {
  contract: value.describe('Contract id.'),
  side: value.describe('YES or NO.'),
  user,
};

/** Named actions. Each makes its requests and answers with the last of them. */
export const ACTIONS = {
  request: request.describe('Any request of the API.'),
  market: z
    .strictObject({
      category: value.optional(),
      search: value.optional(),
      fiveMinute: z.literal(true).optional().describe('The five-minute crypto contract that closes last.'),
    })
    .describe('Picks a contract that trades on both sides: eventId, contractId, yesCents, noCents.'),
  quote: z
    .strictObject({
      ...line,
      stake: numeric.optional().describe('Dollars; a buy.'),
      contracts: numeric.optional().describe('Contracts; a sell.'),
    })
    .describe('POST /quotes.'),
  order: z.strictObject({ quote: value.describe('Quote id.'), user, ...order }).describe('POST /orders.'),
  buy: z
    .strictObject({ ...line, stake: numeric, ...order })
    .describe('Quote and order in one; a refused quote is the answer.'),
  sell: z.strictObject({ ...line, contracts: numeric, ...order }).describe('Quote and order of an exit in one.'),
  scenario: z
    .strictObject({
      fillFraction: numeric.optional(),
      fillAmountMinor: numeric.optional(),
      clientOrderId: value.optional(),
    })
    .describe('Arms a partial fill.'),
  confirm: z
    .strictObject({ order: value, reserveReference: value.optional() })
    .describe('Confirms the reserve of an order.'),
  cancel: z.strictObject({ order: value }).describe('Withdraws an order.'),
  resolve: z
    .strictObject({ position: value, resolution: value })
    .describe('Settles a sandbox position as WIN, LOSS or VOID.'),
  position: z
    .strictObject({ user, contract: value.optional(), status: value.optional() })
    .describe('The newest position of a customer; 404 if there is none.'),
  balance: z.strictObject({ user }).describe('The simulated wallet.'),
  fund: z.strictObject({ user }).describe('1,000.00 of test funds; answers with the deposit.'),
  limits: z
    .strictObject({
      user,
      maxWagerMinor: numeric.nullish(),
      periodStakeMinor: numeric.nullish(),
      periodHours: numeric.nullish(),
      note: z.string().nullish(),
    })
    .describe('Sets the limits of a customer.'),
  jurisdiction: z
    .strictObject({ user, country: value, subdivision: value.nullish() })
    .describe('Asserts where a customer is.'),
  mint: z.looseObject({ user }).describe('Mints an embed session; takes the other fields of the API.'),
  feed: z
    .strictObject({ type: z.string(), user: user.optional(), where: z.unknown().optional() })
    .describe('Waits for a feed item written since the file began; `where` is matched like a body.'),
  endpoint: z
    .strictObject({
      operator: value.describe('Slug of the operator whose events to receive.'),
      events: z.array(z.string()).min(1).optional().describe('Event types; all by default.'),
    })
    .describe('Opens a receiver on loopback and registers it for the rest of the file; needs the database.'),
  webhook: z
    .strictObject({
      type: z.string(),
      user: user.optional(),
      order: value.optional().describe('Order id.'),
      position: value.optional().describe('Position id.'),
      dedupeKey: value.optional(),
    })
    .describe(
      'Waits for a delivery with a good signature since the file began; without a receiver, for the feed item webhook.emitted.',
    ),
  inlay: z
    .union([z.string().min(1), z.array(value).min(1)])
    .describe('Another inlay command, run with --json, such as "paper next ctr_... fill"; words are split at spaces.'),
  paper: z
    .union([z.string().min(1), z.array(value).min(1)])
    .describe('A command of the paper venue, such as "book ctr_... --bid 0.55 --ask 0.57"; needs the database.'),
  wait: seconds.describe('Waits this many seconds.'),
} as const;
export type ActionName = keyof typeof ACTIONS;
export const ACTION_NAMES = Object.keys(ACTIONS) as ActionName[];
