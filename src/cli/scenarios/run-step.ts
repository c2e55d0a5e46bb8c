/** Runs one step, with its repetitions, until it passes or times out, and returns its result. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiAnswer } from '../service/api-client.ts';
import { act, actionOf } from './actions/act.ts';
import type { ActionPorts } from './actions/action-ports.ts';
import type { Expectation, SingleStep } from './file/scenario-file.ts';
import { fillIn, readPath, type Variables } from './file/variables.ts';
import { judge } from './judge.ts';
import type { Mismatch } from './match.ts';
import type { StepResult } from './report.ts';

/** The time limit of a whole file; its signal is aborted at the limit. */
export interface TimeLimit {
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

export async function runStep(
  ports: StepPorts,
  step: SingleStep,
  variables: Variables,
): Promise<{ readonly result: StepResult; readonly captured: Variables }> {
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
