/** A scenario as the rounds that it is done in: loops unrolled, so that a report knows its plan before anything ran. */
import { isGroup, isLoop, type LoneStep, type ScenarioFile } from './file/scenario-file.ts';

export interface Round {
  /** Done at the same time, each under the name that a report gives it. */
  readonly steps: readonly { readonly title: string; readonly step: LoneStep }[];
  /** What a loop adds to the variables. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Done also after a step that did not hold. */
  readonly always: boolean;
}

export function roundsOf(scenario: ScenarioFile): Round[] {
  return [
    ...unroll(scenario.steps).map((round) => ({ ...round, always: false })),
    ...unroll(scenario.finally ?? []).map((round) => ({ ...round, always: true })),
  ];
}

/** How many lines a report of it has. */
export function stepCount(scenario: ScenarioFile): number {
  return roundsOf(scenario).reduce((sum, { steps }) => sum + steps.length, 0);
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
