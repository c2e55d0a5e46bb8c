/** The order of test files: without times of an earlier run Vitest takes large files first, and a small one that takes minutes would be left over at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files of more than half a minute on two cores, the longest first. */
const LONG = [
  'test/proofs/simulation.test.ts',
  'test/proofs/model.test.ts',
  'test/browser/states-page.test.ts',
  'test/browser/states-ticket.test.ts',
  'test/docs/browser.test.ts',
  'test/reconciliation/bit-changes.test.ts',
  'test/browser/structure.test.ts',
  'test/browser/market-tools.test.ts',
  'test/cli/up.test.ts',
  'test/emulators/soak.test.ts',
  'test/browser/landing.test.ts',
  'test/jobs/venue-watch.test.ts',
  'test/cli/live-scenarios.test.ts',
  'test/proofs/transmission-crash.test.ts',
];

const rank = ({ moduleId }: TestSpecification): number => {
  const at = LONG.findIndex((file) => moduleId.endsWith(file));
  return at === -1 ? LONG.length : at;
};

export default class LongestFirst extends BaseSequencer {
  /** @returns the files in the order in which workers take them. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
