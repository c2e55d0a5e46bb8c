/**
 * An operator's books in a second language, written from the public documents alone, end equal to the service's to the cent, whatever
 * the network does to answers and deliveries and wherever the operator's process is killed. `npm run operator-days` runs more days.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OperatorDays, startOperatorDays } from '../support/operator-days.ts';
import { hasPython } from '../support/python-operator.ts';

const DAYS = Number(process.env['OPERATOR_DAYS'] ?? 3);
const SEED = Number(process.env['OPERATOR_SEED'] ?? 39);

if (!hasPython) {
  console.log('python3 is missing: the books in Python are not tested');
}

let days: OperatorDays;
beforeAll(async () => {
  days = await startOperatorDays(SEED);
});
afterAll(() => days.close());

// contract 1.15
test.skipIf(!hasPython)(
  `books in Python agree to the cent after each of ${DAYS} days, seed ${SEED}`,
  {
    timeout: 120_000 + DAYS * 60_000,
  },
  async () => {
    for (let day = 1; day <= DAYS; day += 1) {
      await days.day(day);
      for (const party of days.parties) {
        expect(await days.differences(party), `seed ${SEED}, day ${day}, ${party.mode}`).toEqual([]);
        expect(party.python.complaints()).not.toContain('Traceback');
      }
    }
    for (const { mode, outcomes } of days.parties) {
      console.log(
        `seed ${SEED}, ${mode}: ${[...outcomes]
          .map(([outcome, count]) => `${count} ${outcome}`)
          .toSorted()
          .join(', ')}`,
      );
    }
  },
);
