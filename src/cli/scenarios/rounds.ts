/** A scenario as a list of rounds: loops are unrolled, so that a report can announce its plan before anything runs. */
import { isGroup, isLoop, type Loop, type ScenarioFile, type SingleStep } from './file/scenario-file.ts';

export interface Round {
  /** Run at the same time, each under its name in the report. */
  readonly steps: readonly { readonly title: string; readonly step: SingleStep }[];
  /** What a loop adds to the variables. */
  readonly variables: NonNullable<Loop['each']>[number];
  /** Run also after a failed step. */
  readonly always: boolean;
}

export function roundsOf(scenario: ScenarioFile): Round[] {
  return [
    ...unroll(scenario.steps).map((round) => ({ ...round, always: false })),
    ...unroll(scenario.finally ?? []).map((round) => ({ ...round, always: true })),
  ];
}

/** The number of lines in its report. */
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
