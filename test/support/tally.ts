/** A reporter that writes what `tools/scripts/test.js` adds up: passed and failed tests for each file, and in which file nobody caught an error. */
import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

export interface FileTally {
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
}

/** The address to write to; an ordinary `vitest run` writes none. */
const target = process.env['INLAY_TEST_TALLY'];

export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    if (target === undefined) {
      return;
    }
    const files = modules.map((module) => tally(module, unhandled.filter(raisedIn(module)).length));
    const ofNoFile = unhandled.filter((error) => !modules.some((module) => raisedIn(module)(error))).length;
    writeFileSync(target, JSON.stringify({ files, ofNoFile }));
  }
}

/** A file that does not load, or whose hooks fail, has no failed test of its own and has failed all the same. */
function tally(module: TestModule, uncaught: number): FileTally {
  const passed = [...module.children.allTests('passed')].length;
  const failed = [...module.children.allTests('failed')].length + uncaught;
  return { file: module.relativeModuleId, passed, failed: failed === 0 && !module.ok() ? 1 : failed };
}

function raisedIn(module: TestModule): (error: SerializedError) => boolean {
  return (error) => error['VITEST_TEST_PATH'] === module.moduleId;
}
