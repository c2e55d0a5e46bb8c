/** The checks of `doctor` about the work of a service, without those of its machine. */
import type { Environment } from '../../src/core/environment.ts';
import { workChecks } from '../../src/operations/inspect-work.ts';
import { type Check, type CheckedDatabase, runChecks } from '../../src/operations/run-checks.ts';

export function inspectWork(database: CheckedDatabase, environment: Environment): Promise<Check[]> {
  return runChecks(database, workChecks(environment), String);
}
