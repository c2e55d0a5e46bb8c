/**
 * Runs a scenario: its loops are unrolled into rounds, so that a report can announce the plan before anything runs, and the rounds run
 * until a step fails. Later steps are then skipped, except those of `finally`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../client/create-client.ts';
import { type ApiAnswer, ApiClient, waitForRequests } from '../service/api.ts';
import { type ActionPorts, act, actionOf } from './actions.ts';
import { judge, type Mismatch } from './judge.ts';
import type { ReadScenario } from './read-scenario.ts';
import type { FileResult, StepResult } from './report.ts';
import { type Expectation, isGroup, isLoop, type Loop, type ScenarioFile, type SingleStep } from './scenario-file.ts';
import { BUILT_IN, fillIn, namesIn, readPath, type Variables } from './variables.ts';

interface RunPorts extends Pick<ActionPorts, 'api' | 'inlay' | 'deliveries'> {
  /** Variables from the command line; they override those of the file. */
  readonly given: Variables;
  /** Time limit in seconds for each file; overrides that of the file. */
  readonly timeoutS?: number | undefined;
  readonly note: (text: string) => void;
  readonly onStep: (file: ReadScenario, result: StepResult) => void;
}

/** @throws Failure if the service does not answer at all. */
export async function runScenario(ports: RunPorts, read: ReadScenario): Promise<FileResult> {
  const depth = ports.deliveries.depth;
  try {
    return await runRounds(ports, read);
  } finally {
    await ports.deliveries.closeTo(depth);
  }
}

/** @returns the number of lines in the report of the scenario */
export function stepCount(scenario: ScenarioFile): number {
  return roundsOf(scenario).reduce((sum, { steps }) => sum + steps.length, 0);
}

interface Outcome {
  readonly result: StepResult;
  readonly captured: Variables;
}

async function runRounds(ports: RunPorts, read: ReadScenario): Promise<FileResult> {
  const started = performance.now();
  const variables = new Map<string, unknown>();
  for (const [name, template] of Object.entries(read.scenario.variables ?? {})) {
    variables.set(name, ports.given.has(name) ? ports.given.get(name) : fillIn(template, variables));
  }
  for (const [name, value] of ports.given) {
    variables.set(name, value);
  }
  const rounds = roundsOf(read.scenario);
  const isFeedRead = rounds.some(({ steps }) => steps.some(({ step }) => step.feed ?? step.webhook));
  const marks = new FeedMarks(isFeedRead, (seconds) => ports.note(`Rate limited; continuing in ${seconds} s.`));
  const deliveredBefore = ports.deliveries.events.length;
  await marks.of(ports.api, undefined);
  const limit = limitOf(ports.timeoutS ?? read.scenario.timeout);
  const steps: StepResult[] = [];
  let ok = true;
  for (const round of rounds) {
    const scope = new Map([...variables, ...Object.entries(fillIn(round.variables, variables))]);
    const isDone = round.always ? round.steps.every(({ step }) => knowsAll(step, scope)) : ok;
    const outcomes: readonly Outcome[] = isDone
      ? await Promise.all(
          round.steps.map(async ({ step }) => {
            const key = step.key === undefined ? undefined : String(fillIn(step.key, scope));
            const api = key === undefined ? ports.api : new ApiClient(ports.api.url, key);
            const feedStart = await marks.of(api, key);
            // cleanup steps run even after the time limit
            const within = round.always ? undefined : limit;
            return runStep({ ...ports, api, deliveredBefore, feedStart, limit: within }, step, scope);
          }),
        )
      : round.steps.map(({ step }) => skipped(step));
    for (const [index, { result, captured }] of outcomes.entries()) {
      const shown = { ...result, name: round.steps[index]?.title ?? result.name };
      steps.push(shown);
      ports.onStep(read, shown);
      ok &&= result.ok;
      for (const [name, value] of captured) {
        variables.set(name, value);
      }
    }
  }
  return { file: read.file, name: read.scenario.name, ok, durationMs: Math.round(performance.now() - started), steps };
}

interface Round {
  /** Steps that run at the same time, each with its name in the report. */
  readonly steps: readonly { readonly title: string; readonly step: SingleStep }[];
  /** Variables that a loop adds. */
  readonly variables: NonNullable<Loop['each']>[number];
  /** Whether the round runs after a failed step too. */
  readonly always: boolean;
}

export function roundsOf(scenario: ScenarioFile): Round[] {
  return [
    ...unroll(scenario.steps).map((round) => ({ ...round, always: false })),
    ...unroll(scenario.finally ?? []).map((round) => ({ ...round, always: true })),
  ];
}

function unroll(steps: ScenarioFile['steps']): Omit<Round, 'always'>[] {
  return steps.flatMap((step) => {
    if (!isLoop(step)) {
      return [roundOf(step, '', {})];
    }
    const rows = step.each ?? [{}];
    return Array.from({ length: step.repeat ?? 1 }, () => rows)
      .flat()
      .flatMap((row, place) =>
        step.steps.map((inner) => roundOf(inner, `${step.name} ${place + 1}: `, { index: place + 1, ...row })),
      );
  });
}

function roundOf(
  step: Exclude<ScenarioFile['steps'][number], { steps: unknown }>,
  prefix: string,
  variables: Round['variables'],
): Omit<Round, 'always'> {
  const steps = isGroup(step)
    ? step.parallel.map((each) => ({ title: `${prefix}${step.name}: ${each.name}`, step: each }))
    : [{ title: `${prefix}${step.name}`, step }];
  return { steps, variables };
}

/** The end of each key's feed before the scenario ran, so that earlier items do not count. */
class FeedMarks {
  readonly #isNeeded: boolean;
  readonly #marks = new Map<string, Promise<string | undefined>>();
  readonly #onWait: (seconds: number) => void;

  /** @param onWait called before the run's own key waits for its requests of the next minute. */
  constructor(isNeeded: boolean, onWait: (seconds: number) => void) {
    this.#isNeeded = isNeeded;
    this.#onWait = onWait;
  }

  /**
   * The end of the feed is read once per key.
   * @param key of a step; undefined is the run's own
   * @returns a cursor, or undefined to start at the beginning
   * @throws ApiError if the feed of the run's own key cannot be read
   */
  of(api: ApiClient, key: string | undefined): Promise<string | undefined> {
    if (!this.#isNeeded) {
      return Promise.resolve(undefined);
    }
    const known = this.#marks.get(key ?? '');
    // a step may use a key that the service must refuse; its feed then starts at the beginning
    const mark = known ?? (key === undefined ? readEnd(api, this.#onWait) : readEnd(api).catch(() => undefined));
    this.#marks.set(key ?? '', mark);
    return mark;
  }
}

interface FeedEnd {
  readonly nextCursor?: string;
  readonly hasMore?: boolean;
}

async function readEnd(api: ApiClient, onWait?: (seconds: number) => void): Promise<string | undefined> {
  let cursor: string | undefined;
  for (;;) {
    const ask = () => readPage(api, cursor);
    const body = await (onWait === undefined ? ask() : waitForRequests(ask, { onWait }));
    cursor = body.nextCursor;
    if (body.hasMore !== true) {
      return cursor;
    }
  }
}

async function readPage(api: ApiClient, cursor: string | undefined): Promise<FeedEnd> {
  const query = { cursor, limit: 500 };
  const { status, body } = await api.send<FeedEnd>('GET', '/api/v1/reconciliation/feed', { query });
  if (status >= 400) {
    throw new ApiError(status, undefined, body);
  }
  return body;
}

function limitOf(seconds: number | undefined): TimeLimit | undefined {
  return seconds === undefined ? undefined : { seconds, signal: AbortSignal.timeout(seconds * 1000) };
}

/** A step of `finally` may need a variable of a step that never ran. */
function knowsAll(step: SingleStep, variables: Variables): boolean {
  return namesIn(step).every(({ name }) => BUILT_IN.includes(name) || variables.has(name));
}

function skipped(step: SingleStep): Outcome {
  const result = { name: step.name, ok: false, skipped: true, durationMs: 0, status: null, problems: [] };
  return { result, captured: new Map() };
}

/** The time limit of a whole file; its signal is aborted at the limit. */
interface TimeLimit {
  readonly seconds: number;
  readonly signal: AbortSignal;
}

interface StepPorts extends Omit<ActionPorts, 'signal' | 'eventTimeoutMs'> {
  readonly note: (text: string) => void;
  readonly limit: TimeLimit | undefined;
}

const TIMEOUT_S = 30;
const EVENT_TIMEOUT_S = 10;
const AGAIN_MS = 250;
const RATE_WAITS = 3;

/** Runs one step, with its repetitions, until it passes or times out. @throws an error of the step, unless the time of the file is over */
async function runStep(ports: StepPorts, step: SingleStep, variables: Variables): Promise<Outcome> {
  const started = performance.now();
  let attempt: Attempt = { status: null, problems: [], captured: new Map() };
  try {
    attempt = await attemptAll(ports, step, variables);
  } catch (error) {
    const { limit } = ports;
    if (limit?.signal.aborted !== true) {
      throw error;
    }
    const problem = {
      path: 'timeout',
      expected: `the whole file within ${limit.seconds} s`,
      actual: 'still running',
    };
    attempt = { status: null, problems: [problem], captured: new Map() };
  }
  const { status, problems, captured } = attempt;
  const durationMs = Math.round(performance.now() - started);
  return {
    result: { name: step.name, ok: problems.length === 0, skipped: false, durationMs, status, problems },
    captured,
  };
}

interface Attempt {
  readonly status: number | null;
  readonly problems: readonly Mismatch[];
  readonly captured: Variables;
}

/** All repetitions of the step, each until it passes or times out. */
async function attemptAll(ports: StepPorts, step: SingleStep, variables: Variables): Promise<Attempt> {
  let attempt: Attempt = { status: null, problems: [], captured: new Map() };
  for (let index = 1; index <= (step.repeat ?? 1) && attempt.problems.length === 0; index += 1) {
    const isOfLoop = step.repeat === undefined && variables.has('index');
    const counted = isOfLoop ? [] : [['index', index] as const];
    const scope = new Map([...variables, ...attempt.captured, ...counted]);
    const deadline = performance.now() + (step.within ?? 0) * 1000;
    attempt = await attemptStep(ports, step, scope);
    while (attempt.problems.length > 0 && performance.now() < deadline) {
      await rest(ports, AGAIN_MS);
      attempt = await attemptStep(ports, step, scope);
    }
  }
  return attempt;
}

async function attemptStep(ports: StepPorts, step: SingleStep, variables: Variables): Promise<Attempt> {
  if (step.wait !== undefined) {
    await rest(ports, step.wait * 1000);
  }
  const timeoutMs = (step.timeout ?? TIMEOUT_S) * 1000;
  const eventTimeoutMs = Math.min(step.within ?? EVENT_TIMEOUT_S, step.timeout ?? TIMEOUT_S) * 1000;
  const name = actionOf(step);
  const given = fillIn(step[name], variables);
  const expected = fillIn(step.expect ?? {}, variables);
  let answer: ApiAnswer<unknown>;
  try {
    answer = await patiently(ports, expected, () =>
      act({ ...ports, eventTimeoutMs, signal: endsWith(ports.limit, timeoutMs) }, name, given),
    );
  } catch (error) {
    const isOfFile = ports.limit?.signal.aborted === true;
    if (!isOfFile && error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) {
      const problem = { path: 'status', expected: `an answer within ${timeoutMs / 1000} s`, actual: null };
      return { status: null, problems: [problem], captured: new Map() };
    }
    throw error;
  }
  const problems = judge(expected, answer);
  const captured = new Map<string, unknown>();
  for (const [variable, path] of Object.entries(problems.length === 0 ? (step.capture ?? {}) : {})) {
    const value = readPath(answer.body, path);
    if (value === undefined) {
      problems.push({ path, expected: `something to capture as ${variable}`, actual: fieldsOf(answer.body) });
    }
    captured.set(variable, value);
  }
  return { status: answer.status, problems, captured };
}

function endsWith(limit: TimeLimit | undefined, timeoutMs: number): AbortSignal {
  const own = AbortSignal.timeout(timeoutMs);
  return limit === undefined ? own : AbortSignal.any([own, limit.signal]);
}

/** @throws if the time limit of the file is reached. */
function rest({ limit }: StepPorts, ms: number): Promise<void> {
  return sleep(ms, undefined, limit === undefined ? {} : { signal: limit.signal });
}

/** Field names only: the answer may contain a key or a secret, and reports are kept. */
function fieldsOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.keys(body) : typeof body;
}

/** Waits when the requests of the minute are used up, unless the step expects that refusal. */
async function patiently(
  ports: StepPorts,
  expected: Expectation,
  ask: () => Promise<ApiAnswer<unknown>>,
): Promise<ApiAnswer<unknown>> {
  for (let waits = 0; ; waits += 1) {
    const answer = await ask();
    if (
      answer.status !== 429 ||
      [expected.status].flat().includes(429) ||
      expected.error === 'rate_limited' ||
      waits === RATE_WAITS
    ) {
      return answer;
    }
    const seconds = Number(readPath(answer.body, 'retryAfterSeconds') ?? 1);
    ports.note(`Rate limited; continuing in ${seconds} s.`);
    await rest(ports, seconds * 1000 + AGAIN_MS);
  }
}
