/** Runs a scenario round by round, until a step fails; the steps after it are skipped. */
import { ApiClient } from '../service/api-client.ts';
import type { ActionPorts } from './actions/action-ports.ts';
import { FeedMarks } from './actions/feed-marks.ts';
import type { ReadScenario } from './file/read-scenario.ts';
import type { SingleStep } from './file/scenario-file.ts';
import { BUILT_IN, fillIn, namesIn, type Variables } from './file/variables.ts';
import type { FileResult, StepResult } from './report.ts';
import { roundsOf } from './rounds.ts';
import { runStep, type TimeLimit } from './run-step.ts';

export interface RunPorts extends Pick<ActionPorts, 'api' | 'inlay' | 'deliveries'> {
  /** Variables from the command line; they override those of the file. */
  readonly given: Variables;
  /** Time limit in seconds for each file; overrides that of the file. */
  readonly timeoutS?: number | undefined;
  readonly note: (text: string) => void;
  readonly onStep: (file: ReadScenario, result: StepResult) => void;
}

interface Outcome {
  readonly result: StepResult;
  readonly captured: Variables;
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
