/**
 * Steps that run commands (`inlay`, `paper`, `endpoint`) act with the rights of the service operator. A file from somebody else
 * may run them only with --allow-commands; the scenarios of this package are trusted like its code.
 */
import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { EXIT } from '../../../core/errors.ts';
import { Failure } from '../../failure.ts';
import { singleSteps } from './check-scenario.ts';
import type { ReadScenario } from './read-scenario.ts';

const COMMANDS = ['inlay', 'paper', 'endpoint'] as const;

/**
 * @param root folder of package.json.
 * @throws Failure exit 2 naming the first such step of each file; no step was run.
 */
export function refuseCommands(scenarios: readonly ReadScenario[], root: string): void {
  const own = `${realpathSync(join(root, 'fixtures/scenarios'))}${sep}`;
  const refused = scenarios.flatMap(({ file, scenario }) => {
    if (realpathSync(file).startsWith(own)) {
      return [];
    }
    const steps = singleSteps([...scenario.steps, ...(scenario.finally ?? [])], []);
    const found = steps.find(({ step }) => COMMANDS.some((name) => step[name] !== undefined));
    return found === undefined ? [] : [`${file}: the step "${found.step.name}" runs a command`];
  });
  if (refused.length > 0) {
    throw new Failure('commands_not_allowed', refused.join('\n'), {
      exitCode: EXIT.usage,
      next: 'Commands act with the rights of the service operator. Read the files, then add --allow-commands. No step was run.',
    });
  }
}
