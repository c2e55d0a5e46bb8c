/**
 * What a scenario file may say (rulings 11 "Command line"): the one description behind the check before a run and the JSON
 * Schema for editors. Values that go to the API are left to the API to judge, since refusals are what some scenarios are for.
 */
import { z } from 'zod';

/** Text or a number; text may hold variables. */
const value = z.union([z.string(), z.number()]);
const user = value.describe("The operator's own id of the customer.");
const numeric = z.union([z.number(), z.string().regex(/\$\{[^}]+\}/, 'a number or a variable')]);
const seconds = z.number().positive().max(3600);

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
  clientOrderId: value.optional().describe('Made anew where it is left out.'),
  intent: z.string().optional().describe('record_intent or simulate.'),
  reserveReference: value.optional().describe('Confirms the reserve in the same call.'),
  maxSlippage: numeric.optional().describe('Adverse price allowance in dollars a contract.'),
};
const line = {
  contract: value.describe('Contract id.'),
  side: value.describe('YES or NO.'),
  user,
};

/** Named actions. Each makes its requests and answers with the last of them. */
const ACTIONS = {
  request: request.describe('Any request of the API.'),
  market: z
    .strictObject({ category: value.optional(), search: value.optional() })
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
    .describe('The newest position of a customer; 404 where there is none.'),
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
  mint: z.looseObject({ user }).describe('Mints an embed session; further fields as in the API.'),
  feed: z
    .strictObject({ type: z.string(), user: user.optional(), where: z.unknown().optional() })
    .describe('Waits for a feed item written since the file began; `where` is matched as a body is.'),
  webhook: z
    .strictObject({ type: z.string(), user: user.optional(), dedupeKey: value.optional() })
    .describe('Waits until an event for webhooks was raised since the file began.'),
  inlay: z
    .union([z.string().min(1), z.array(value).min(1)])
    .describe('Another command of ours with --json, such as "paper next ctr_... fill"; words are split at spaces.'),
  wait: seconds.describe('Waits so many seconds.'),
} as const;
export type ActionName = keyof typeof ACTIONS;
export const ACTION_NAMES = Object.keys(ACTIONS) as ActionName[];

const httpStatus = z.int().min(100).max(599);
const expectation = z.strictObject({
  status: z
    .union([httpStatus, z.array(httpStatus).min(1)])
    .optional()
    .describe('HTTP status, or a list of those that are fine; without it anything below 400 is.'),
  error: z.string().optional().describe('The error code of a refusal.'),
  body: z.unknown().optional().describe('A subset of the answer; matchers are objects such as { $gt: 5 }.'),
  headers: z.record(z.string(), z.unknown()).optional().describe('Headers, by name in small letters.'),
  identities: z.literal(true).optional().describe('Every money block of the answer adds up to the cent.'),
});

const common = {
  name: z.string().min(1).describe('What the step shows.'),
  expect: expectation.optional(),
  capture: z
    .record(z.string().regex(/^[A-Za-z_]\w*$/, 'a variable name of letters, digits and _'), z.string().min(1))
    .optional()
    .describe('Variables and the paths in the answer that fill them, such as orders.0.orderId.'),
  within: seconds.optional().describe('Repeats the step until it holds, at most so many seconds.'),
  repeat: z.int().min(1).max(1000).optional().describe('Does it so often, with the variable index from 1.'),
  timeout: seconds.optional().describe('Longest wait for one answer; 30 where nothing is said.'),
};

const lone = z.strictObject({ ...common, ...optional(ACTIONS) }).refine(hasOneAction, { message: oneOf(ACTION_NAMES) });
const group = z.strictObject({
  name: common.name,
  parallel: z.array(lone).min(1).describe('Done at the same time; none sees what another captures.'),
});

export const scenarioFile = z.strictObject({
  $schema: z.string().optional(),
  name: z.string().min(1).describe('What the scenario shows.'),
  description: z.string().optional(),
  variables: z
    .record(z.string().regex(/^[A-Za-z_]\w*$/), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe('Read once, in order; uuid is a new one for each use.'),
  steps: z.array(z.union([group, lone])).min(1),
});

export type LoneStep = z.infer<typeof lone>;
export type Group = z.infer<typeof group>;
export type ScenarioFile = z.infer<typeof scenarioFile>;
export type Expectation = z.infer<typeof expectation>;

/** One step of a file, by what it holds: so that a mistake is told of the step that was meant. */
export const stepShapes = { group, lone };

export function isGroup(step: ScenarioFile['steps'][number]): step is Group {
  return 'parallel' in step;
}

/** The JSON Schema that editors check scenario files with. */
export function scenarioSchema(): Record<string, unknown> {
  return { title: 'Inlay sandbox scenario', ...z.toJSONSchema(scenarioFile, { io: 'input', unrepresentable: 'any' }) };
}

function hasOneAction(step: Readonly<Record<string, unknown>>): boolean {
  return ACTION_NAMES.filter((name) => step[name] !== undefined).length === 1;
}

function oneOf(names: readonly string[]): string {
  return `exactly one of ${names.join(', ')}`;
}

function optional<T extends Record<string, z.ZodType>>(shapes: T): { [K in keyof T]: z.ZodOptional<T[K]> } {
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, shape.optional()])) as {
    [K in keyof T]: z.ZodOptional<T[K]>;
  };
}
