/** Runs a scenario file that was read: step by step, until one fails; what follows a failed step is skipped. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiAnswer, ApiClient } from '../api-client.ts';
import { Failure } from '../failure.ts';
import { type ActionPorts, act, actionOf } from './actions.ts';
import { judge } from './judge.ts';
import type { Mismatch } from './match.ts';
import type { ReadScenario } from './read-scenario.ts';
import { type Expectation, isGroup, type LoneStep } from './scenario-file.ts';
import { fillIn, readPath, type Variables } from './variables.ts';

export interface StepResult {
  readonly name: string;
  readonly ok: boolean;
  readonly skipped: boolean;
  readonly durationMs: number;
  /** HTTP status of the last answer; null where there was none. */
  readonly status: number | null;
  readonly problems: readonly Mismatch[];
}

export interface FileResult {
  readonly file: string;
  readonly name: string;
  readonly ok: boolean;
  readonly durationMs: number;
  readonly steps: readonly StepResult[];
}

export interface RunPorts extends Pick<ActionPorts, 'api' | 'inlay'> {
  /** Variables from the command line; they win over those of the file. */
  readonly given: Variables;
  readonly note: (text: string) => void;
  readonly onStep: (file: ReadScenario, result: StepResult) => void;
}

interface Outcome {
  readonly result: StepResult;
  readonly captured: Variables;
}

const TIMEOUT_S = 30;
const PATIENCE_S = 10;
const AGAIN_MS = 250;
const RATE_WAITS = 3;

/** @throws Failure where the service does not answer at all. */
export async function runScenario(ports: RunPorts, read: ReadScenario): Promise<FileResult> {
  const started = performance.now();
  const variables = new Map<string, unknown>();
  for (const [name, template] of Object.entries(read.scenario.variables ?? {})) {
    variables.set(name, ports.given.has(name) ? ports.given.get(name) : fillIn(template, variables));
  }
  for (const [name, value] of ports.given) {
    variables.set(name, value);
  }
  const feedStart = needsFeed(read) ? await readFeedEnd(ports.api) : undefined;
  const steps: StepResult[] = [];
  let ok = true;
  for (const step of read.scenario.steps) {
    const group = isGroup(step) ? step.parallel : [step];
    const outcomes: readonly Outcome[] = ok
      ? await Promise.all(group.map((each) => runStep(ports, each, variables, feedStart)))
      : group.map(skipped);
    for (const [index, { result, captured }] of outcomes.entries()) {
      const shown = isGroup(step) ? { ...result, name: `${step.name}: ${group[index]?.name}` } : result;
      steps.push(shown);
      ports.onStep(read, shown);
      ok &&= result.ok;
      for (const [name, value] of captured) {
        variables.set(name, value);
      }
    }
  }
  return { file: read.file, name: read.scenario.name, ok, durationMs: since(started), steps };
}

async function runStep(
  ports: RunPorts,
  step: LoneStep,
  variables: Variables,
  feedStart: string | undefined,
): Promise<Outcome> {
  const started = performance.now();
  let attempt: Attempt = { status: null, problems: [], captured: new Map() };
  for (let index = 1; index <= (step.repeat ?? 1) && attempt.problems.length === 0; index += 1) {
    const scope = new Map([...variables, ...attempt.captured, ['index', index] as const]);
    const deadline = performance.now() + (step.within ?? 0) * 1000;
    attempt = await attemptStep(ports, step, scope, feedStart);
    while (attempt.problems.length > 0 && performance.now() < deadline) {
      await sleep(AGAIN_MS);
      attempt = await attemptStep(ports, step, scope, feedStart);
    }
  }
  const { status, problems, captured } = attempt;
  const result = {
    name: step.name,
    ok: problems.length === 0,
    skipped: false,
    durationMs: since(started),
    status,
    problems,
  };
  return { result, captured };
}

interface Attempt {
  readonly status: number | null;
  readonly problems: readonly Mismatch[];
  readonly captured: Variables;
}

async function attemptStep(
  ports: RunPorts,
  step: LoneStep,
  variables: Variables,
  feedStart: string | undefined,
): Promise<Attempt> {
  if (step.wait !== undefined) {
    await sleep(step.wait * 1000);
  }
  const timeoutMs = (step.timeout ?? TIMEOUT_S) * 1000;
  const patienceMs = Math.min(step.within ?? PATIENCE_S, step.timeout ?? TIMEOUT_S) * 1000;
  const name = actionOf(step);
  const given = fillIn(step[name], variables);
  const expected = fillIn(step.expect ?? {}, variables);
  let answer: ApiAnswer<unknown>;
  try {
    answer = await patiently(ports, expected, () =>
      act({ ...ports, feedStart, patienceMs, signal: AbortSignal.timeout(timeoutMs) }, name, given),
    );
  } catch (error) {
    if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) {
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
      problems.push({ path, expected: `something to capture as ${variable}`, actual: answer.body });
    }
    captured.set(variable, value);
  }
  return { status: answer.status, problems, captured };
}

/** A minute's budget that is spent is waited for, unless the refusal is what the step expects. */
async function patiently(
  { note }: RunPorts,
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
    note(`Rate limited; going on in ${seconds} s.`);
    await sleep(seconds * 1000 + AGAIN_MS);
  }
}

function needsFeed({ scenario }: ReadScenario): boolean {
  return scenario.steps
    .flatMap((step) => (isGroup(step) ? step.parallel : [step]))
    .some((step) => step.feed ?? step.webhook);
}

/** Reads on to the end of the feed once, so that what came before the file does not count. */
async function readFeedEnd(api: ApiClient): Promise<string | undefined> {
  let cursor: string | undefined;
  for (;;) {
    const page = await api.send<{ nextCursor?: string; hasMore?: boolean; message?: string; error?: string }>(
      'GET',
      '/api/v1/reconciliation/feed',
      { query: { cursor, limit: 500 } },
    );
    if (page.status >= 400) {
      throw new Failure(page.body.error ?? 'internal_error', page.body.message ?? 'The feed cannot be read.');
    }
    cursor = page.body.nextCursor;
    if (page.body.hasMore !== true) {
      return cursor;
    }
  }
}

function skipped(step: LoneStep): Outcome {
  const result = { name: step.name, ok: false, skipped: true, durationMs: 0, status: null, problems: [] };
  return { result, captured: new Map() };
}

function since(started: number): number {
  return Math.round(performance.now() - started);
}
