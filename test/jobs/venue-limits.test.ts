/** The limits of a venue: those of its documents at first, and then those that the venue names for our account. */
import { expect, test } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { oneBucket } from '../../src/core/request-budget.ts';
import { openVenueLimits } from '../../src/jobs/transmit.ts';
import { ScriptedVenue } from '../support/scripted-venue.ts';
import { until } from '../support/until.ts';

test('the limits that the venue names replace those of its documents', async () => {
  let answer = (): void => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const venue = Object.assign(new ScriptedVenue('kalshi'), {
    limits: oneBucket(40),
    readLimits: async () => {
      await asked;
      return oneBucket(400);
    },
  });
  const limits = openVenueLimits([venue], createLog('silent'));
  const left = () => limits.budgets.get('kalshi')?.left('look_up');
  expect(left()).toBe(40);
  answer();
  await until(
    async () => left(),
    (now) => now === 400,
    20_000,
  );
  await limits.close();
});
