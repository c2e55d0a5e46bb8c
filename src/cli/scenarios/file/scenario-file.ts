/**
 * What a scenario file may say (rulings 11 "Command line"): the one description behind the check before a run and the JSON
 * Schema for editors. Values that go to the API are left to the API to judge, since refusals are what some scenarios are for.
 */
import { z } from 'zod';
import { ACTION_NAMES, ACTIONS, seconds } from './scenario-actions.ts';

const VARIABLE = /^[A-Za-z_]\w*$/;
const variable = z.string().regex(VARIABLE, 'a variable name of letters, digits and _');
const plainValue = z.union([z.string(), z.number(), z.boolean()]);
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

const times = z.int().min(1).max(1000);
const common = {
  name: z.string().min(1).describe('What the step shows; no two of a list share one.'),
  key: z.string().min(1).optional().describe('API key of this step, where it is not the one of the run.'),
  expect: expectation.optional(),
  capture: z
    .record(variable, z.string().min(1))
    .optional()
    .describe('Variables and the paths in the answer that fill them, such as orders.0.orderId.'),
  within: seconds.optional().describe('Repeats the step until it holds, at most so many seconds.'),
  repeat: times.optional().describe('Does it so often, with the variable index from 1.'),
  timeout: seconds.optional().describe('Longest wait for one answer; 30 where nothing is said.'),
};

const lone = z
  .strictObject({ ...common, ...optional(ACTIONS) })
  .refine(hasOneAction, { message: oneOf(ACTION_NAMES) })
  .meta({ id: 'step' });
const groupOf = <T extends z.ZodType>(step: T) =>
  z.strictObject({
    name: common.name,
    parallel: z.array(step).min(1).describe('Done at the same time; none sees what another captures.'),
  });
const loopOf = <T extends z.ZodType>(step: T) =>
  z
    .strictObject({
      name: common.name,
      repeat: times.optional().describe('How often, with the variable index from 1.'),
      each: z
        .array(z.record(variable, plainValue))
        .min(1)
        .max(1000)
        .optional()
        .describe('Rows of variables: the steps are done once for each.'),
      steps: z.array(step).min(1).describe('Done one after the other, again and again.'),
    })
    .refine((given) => given.repeat !== undefined || given.each !== undefined, {
      message: 'steps of a step are a loop; expected repeat or each',
    });
const fileOf = <T extends z.ZodType>(step: T) =>
  z.strictObject({
    $schema: z.string().optional(),
    name: z.string().min(1).describe('What the scenario shows.'),
    description: z.string().optional(),
    variables: z
      .record(variable, plainValue)
      .optional()
      .describe('Read once, in order; uuid is a new one for each use.'),
    timeout: seconds
      .optional()
      .describe(
        'Longest time for all steps together; when it is over, the step under way fails and the rest is skipped.',
      ),
    steps: z.array(step).min(1),
    finally: z
      .array(step)
      .min(1)
      .optional()
      .describe(
        'Done at the end, also after a step that did not hold; skipped where what it needs was never captured.',
      ),
  });

const group = groupOf(lone).meta({ id: 'group' });
const loop = loopOf(z.union([group, lone])).meta({ id: 'loop' });
export const scenarioFile = fileOf(z.union([loop, group, lone]));

/** The same without what the steps in them hold, and a step that holds none: each mistake is told of the thing that was meant. */
export const shapes = { file: fileOf(z.unknown()), loop: loopOf(z.unknown()), group: groupOf(z.unknown()), lone };

export type LoneStep = z.infer<typeof lone>;
export type Group = z.infer<typeof group>;
export type Loop = z.infer<typeof loop>;
export type Step = LoneStep | Group | Loop;
export type ScenarioFile = z.infer<typeof scenarioFile>;
export type Expectation = z.infer<typeof expectation>;

export function isGroup(step: Step): step is Group {
  return 'parallel' in step;
}

export function isLoop(step: Step): step is Loop {
  return 'steps' in step;
}

/** The JSON Schema that editors check scenario files with. */
export function scenarioSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(scenarioFile, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === lone) {
        jsonSchema.oneOf = ACTION_NAMES.map((name) => ({ required: [name] }));
      } else if (zodSchema === loop) {
        jsonSchema.anyOf = [{ required: ['repeat'] }, { required: ['each'] }];
      }
    },
  });
  return { title: 'Inlay sandbox scenario', ...schema };
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
