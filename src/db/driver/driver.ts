/**
 * Loads the `postgres` driver with the changes of `driver-repairs.ts` and `driver-additions.ts` applied to its source in memory. Nothing on disk changes.
 */
import { createRequire, registerHooks } from 'node:module';
import type driverType from 'postgres';
import { CONNECTION_ADDITIONS, POOL_ADDITIONS, QUEUE_ADDITIONS } from './driver-additions.ts';
import { CONNECTION_REPAIRS, type Repair } from './driver-repairs.ts';

const REPAIRS: readonly (readonly [file: RegExp, repairs: readonly Repair[]])[] = [
  [/\/postgres\/cjs\/src\/connection\.js$/, [...CONNECTION_REPAIRS, ...CONNECTION_ADDITIONS]],
  [/\/postgres\/cjs\/src\/index\.js$/, POOL_ADDITIONS],
  [/\/postgres\/cjs\/src\/queue\.js$/, QUEUE_ADDITIONS],
];

export const postgres = loadDriver();

/** @throws Error if the installed driver is not the release that the repairs were written for. */
function loadDriver(): typeof driverType {
  let missing = REPAIRS.reduce((sum, [, repairs]) => sum + repairs.length, 0);
  const hooks = registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const repairs = REPAIRS.find(([file]) => file.test(url))?.[1];
      if (repairs === undefined) {
        return loaded;
      }
      let source = String(loaded.source);
      for (const { text, repaired } of repairs) {
        const occurrences = source.split(text).length - 1;
        missing -= occurrences === 1 ? 1 : 0;
        source = source.replace(text, () => repaired);
      }
      return { ...loaded, source };
    },
  });
  try {
    const driver = createRequire(import.meta.url)('postgres') as typeof driverType;
    if (missing !== 0) {
      throw new Error('the installed postgres is not the release that src/db/driver/driver-repairs.ts was written for');
    }
    return driver;
  } finally {
    hooks.deregister();
  }
}
