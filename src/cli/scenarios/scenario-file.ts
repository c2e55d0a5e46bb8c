/**
 * Content of a scenario file (contract 40.10). One description serves the check before a run and the JSON Schema for editors.
 * The API alone validates most values that are sent to it, because some scenarios test its refusals; a `request` step sends anything.
 */
import { z } from 'zod';

/** Text or a number; text may hold variables. */
const value = z.union([z.string(), z.number()]);
const user = value.describe("The operator's own id of the customer.");
const variableText = z.string().regex(/\$\{[^}]+\}/, 'a number or a variable');
const numeric = z.union([z.number(), variableText]);
const resolution = z
  .string()
  .regex(/^([Ww][Ii][Nn]|[Ll][Oo][Ss][Ss]|[Vv][Oo][Ii][Dd]|.*\$\{[^}]+\}.*)$/, 'WIN, LOSS or VOID');
const share = z.union([z.number().gt(0).lt(1), variableText]);
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
  clientOrderId: value.optional().describe('By default a new one.'),
  intent: z.string().optional().describe('record_intent or simulate.'),
  reserveReference: value.optional().describe('Confirms the reserve in the same call.'),
  maxSlippage: numeric.optional().describe('Accepted price increase in dollars per contract.'),
};
const line = {
  contract: value.describe('Contract id.'),
  side: value.describe('YES or NO.'),
  user,
};

/** The named actions. Each sends its requests and returns the response to the last of them. */
const ACTIONS = {
  request: request.describe('Sends any request of the API.'),
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
      stake: numeric.optional().describe('Stake of a buy in dollars.'),
      contracts: numeric.optional().describe('Contracts of a sell.'),
    })
    .describe('POST /quotes.'),
  order: z.strictObject({ quote: value.describe('Quote id.'), user, ...order }).describe('POST /orders.'),
  buy: z
    .strictObject({ ...line, stake: numeric, ...order })
    .describe('Requests a quote and places an order at it. If the quote is refused, the step returns that refusal.'),
  sell: z
    .strictObject({ ...line, contracts: numeric, ...order })
    .describe('Requests a quote of an exit and places an order at it.'),
  scenario: z
    .strictObject({
      fillFraction: share.optional().describe('Share of the contracts, such as 0.4.'),
      fillAmountMinor: numeric.optional(),
      clientOrderId: value.optional(),
    })
    .describe('Arms a partial fill.'),
  confirm: z
    .strictObject({ order: value, reserveReference: value.optional() })
    .describe('Confirms the reserve of an order.'),
  cancel: z.strictObject({ order: value }).describe('Withdraws an order.'),
  resolve: z.strictObject({ position: value, resolution }).describe('Settles a sandbox position as WIN, LOSS or VOID.'),
  position: z
    .strictObject({ user, contract: value.optional(), status: value.optional() })
    .describe('Returns the newest position of a customer, or 404 if there is none.'),
  balance: z.strictObject({ user }).describe('Returns the simulated wallet.'),
  fund: z.strictObject({ user }).describe('Adds 1,000.00 of test funds and returns the deposit.'),
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
  mint: z.looseObject({ user }).describe('Mints an embed session. It also takes the other fields of the API.'),
  feed: z
    .strictObject({ type: z.string(), user: user.optional(), where: z.unknown().optional() })
    .describe('Waits for a feed item written since the file began; `where` is matched like a body.'),
  endpoint: z
    .strictObject({
      operator: value.describe('Slug of the operator whose events to receive.'),
      events: z.array(z.string()).min(1).optional().describe('Event types; by default all.'),
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
      'Waits for a delivery with a valid signature since the file began. Without a receiver, it waits for the feed item webhook.emitted.',
    ),
  inlay: z
    .union([z.string().min(1), z.array(value).min(1)])
    .describe(
      'Runs another inlay command with --json, such as "paper next ctr_... fill". The text is split at spaces.',
    ),
  paper: z
    .union([z.string().min(1), z.array(value).min(1)])
    .describe(
      'Runs a command of the paper venue, such as "book ctr_... --bid 0.55 --ask 0.57". It needs the database.',
    ),
  wait: seconds.describe('Waits this many seconds.'),
} as const;
export type ActionName = keyof typeof ACTIONS;
export const ACTION_NAMES = Object.keys(ACTIONS) as ActionName[];

const VARIABLE = /^[A-Za-z_]\w*$/;
const variable = z.string().regex(VARIABLE, 'a variable name of letters, digits and _');
const plainValue = z.union([z.string(), z.number(), z.boolean()]);
const httpStatus = z.int().min(100).max(599);

const expectation = z.strictObject({
  status: z
    .union([httpStatus, z.array(httpStatus).min(1)])
    .optional()
    .describe('HTTP status or a list of accepted ones; by default any status below 400.'),
  error: z.string().optional().describe('The error code of a refusal.'),
  body: z.unknown().optional().describe('A subset of the response; matchers are objects such as { $gt: 5 }.'),
  headers: z.record(z.string(), z.unknown()).optional().describe('Headers by lower-case name.'),
  identities: z.literal(true).optional().describe('Every money block of the response adds up to the cent.'),
});

const times = z.int().min(1).max(1000);
const common = {
  name: z.string().min(1).describe('Name of the step, unique within its list.'),
  key: z.string().min(1).optional().describe('API key of this step; by default the key of the run.'),
  expect: expectation.optional(),
  capture: z
    .record(variable, z.string().min(1))
    .optional()
    .describe('Variables, and the paths in the response that fill them, such as orders.0.orderId.'),
  within: seconds.optional().describe('Repeats the step until it passes, for at most this many seconds.'),
  repeat: times.optional().describe('Runs the step this many times; the variable index counts from 1.'),
  timeout: seconds.optional().describe('Longest wait for one response in seconds; by default 30.'),
};

const ONE_ACTION_OF = `exactly one of ${ACTION_NAMES.join(', ')}`;
export const ONE_ACTION = `expected ${ONE_ACTION_OF}`;
const single = z
  .strictObject({ ...common, ...optional(ACTIONS) })
  .refine(hasOneAction, { message: ONE_ACTION_OF })
  .meta({ id: 'step' });
const groupOf = <T extends z.ZodType>(step: T) =>
  z.strictObject({
    name: common.name,
    parallel: z.array(step).min(1).describe('Steps that run at the same time; none sees what another captures.'),
  });
const loopOf = <T extends z.ZodType>(step: T) =>
  z
    .strictObject({
      name: common.name,
      repeat: times.optional().describe('How many times; the variable index counts from 1.'),
      each: z
        .array(z.record(variable, plainValue))
        .min(1)
        .max(1000)
        .optional()
        .describe('Rows of variables: the steps run once for each row.'),
      steps: z.array(step).min(1).describe('Steps that run one after the other, in every pass.'),
    })
    .refine((given) => given.repeat !== undefined || given.each !== undefined, {
      message: 'repeat or each beside steps',
    });
const fileOf = <T extends z.ZodType>(step: T) =>
  z.strictObject({
    $schema: z.string().optional(),
    name: z.string().min(1).describe('Name of the scenario.'),
    description: z.string().optional(),
    variables: z
      .record(variable, plainValue)
      .optional()
      .describe('Read once, in order. Each use of uuid gives a new one.'),
    timeout: seconds
      .optional()
      .describe(
        'Longest time for all steps together in seconds. When it is over, the current step fails and the rest are skipped.',
      ),
    steps: z.array(step).min(1),
    finally: z
      .array(step)
      .min(1)
      .optional()
      .describe(
        'Steps that run at the end, also after a failed step; a step is skipped if a variable that it needs was never captured.',
      ),
  });

const group = groupOf(single).meta({ id: 'group' });
const loop = loopOf(z.union([group, single])).meta({ id: 'loop' });
export const scenarioFile = fileOf(z.union([loop, group, single]));

/** Shapes without the contents of their steps, so that each mistake is reported for the kind of step that was meant. */
export const shapes = { file: fileOf(z.unknown()), loop: loopOf(z.unknown()), group: groupOf(z.unknown()), single };

export type SingleStep = z.infer<typeof single>;
type Group = z.infer<typeof group>;
export type Loop = z.infer<typeof loop>;
export type Step = SingleStep | Group | Loop;
export type ScenarioFile = z.infer<typeof scenarioFile>;
export type Expectation = z.infer<typeof expectation>;

export function isGroup(step: Step): step is Group {
  return 'parallel' in step;
}

export function isLoop(step: Step): step is Loop {
  return 'steps' in step;
}

/** The JSON Schema that editors check scenario files with. */
export function scenarioSchema(): z.core.JSONSchema.BaseSchema {
  const schema = z.toJSONSchema(scenarioFile, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === single) {
        jsonSchema.oneOf = ACTION_NAMES.map((name) => ({ required: [name] }));
      } else if (zodSchema === loop) {
        jsonSchema.anyOf = [{ required: ['repeat'] }, { required: ['each'] }];
      }
    },
  });
  return { title: 'Inlay sandbox scenario', ...schema };
}

export function hasOneAction(step: Readonly<Partial<Record<ActionName, unknown>>>): boolean {
  return ACTION_NAMES.filter((name) => step[name] !== undefined).length === 1;
}

function optional<T extends Record<string, z.ZodType>>(shapes: T): { [K in keyof T]: z.ZodOptional<T[K]> } {
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, shape.optional()])) as {
    [K in keyof T]: z.ZodOptional<T[K]>;
  };
}
