/** INLAY_VENUE_REQUEST_SHARE: cells whose accounts share the limits of a venue use a part of them each. */
import { expect, test } from 'vitest';
import { readEnvironment } from '../../src/core/environment.ts';
import { createLog } from '../../src/core/log.ts';
import { oneBucket } from '../../src/core/net/request-budget.ts';
import { openVenueLimits } from '../../src/jobs/venue-limits.ts';
import { ScriptedVenue } from '../support/scripted-venue.ts';
import { until } from '../support/until.ts';

test('a cell uses its part of the limits, of those known at first and of those that the venue names', async () => {
  const { venueRequestShare } = readEnvironment({ DATABASE_URL: 'postgres://a/b', INLAY_VENUE_REQUEST_SHARE: '25' });
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
  const limits = openVenueLimits([venue], createLog('silent'), venueRequestShare);
  const left = () => limits.budgets.get('kalshi')?.left('look_up');
  expect(left()).toBe(10);
  answer();
  await until(
    async () => left(),
    (now) => now === 100,
    20_000,
  );
  await limits.close();
});
