/** Runs before each test file: what the file changes of the environment and of the clock does not reach the next one in this process. */
import { join } from 'node:path';
import { afterAll, vi } from 'vitest';
import { globalRegistry } from 'zod';
import { projectRoot } from '../../src/core/environment.ts';

const environment = { ...process.env };

afterAll(() => {
  for (const name of Object.keys(process.env)) {
    delete process.env[name];
  }
  Object.assign(process.env, environment);
  vi.useRealTimers();
});

/**
 * Commands run from the build in the process of a test, whose service runs from the source: the schemas of both are in this process, under
 * the same names, and a document of the service could not be rendered. Those of the build get no names here, because it renders none.
 */
function leaveBuiltSchemasUnnamed(): void {
  const built = join(projectRoot, 'dist');
  const { add } = globalRegistry;
  globalRegistry.add = (schema, ...[meta]) => {
    const { id, ...rest } = meta ?? {};
    const named = id !== undefined && new Error().stack?.includes(built) !== true;
    return add.call(globalRegistry, schema, named ? meta : rest);
  };
}

const DONE = Symbol.for('inlay: built schemas have no names');
const ofProcess = globalThis as { [DONE]?: true };
if (ofProcess[DONE] === undefined) {
  ofProcess[DONE] = true;
  leaveBuiltSchemasUnnamed();
}
