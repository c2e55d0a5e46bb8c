/** The clock of a venue is known however long its account takes to compare: without it no look-up proves that an order never arrived. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemTicks } from '../../src/core/time.ts';
import { createWitness } from '../../src/db/books-witness.ts';
import { type KalshiEmulator, startKalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { type VenueWatch, watchVenues } from '../../src/jobs/watch-venues.ts';
import { createRecordPorts } from '../../src/trading/execution/record-execution.ts';
import { openDeployedVenues, type Venues } from '../../src/venues/registry.ts';
import { newKalshiKey } from '../emulators/kalshi-venue.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

/** Below the ten seconds after which a request is given up; four of them are longer than a reading of the clock is good for. */
const SLOW_MS = 9_500;
/** What a comparison reads, one after the other. */
const READS = ['orders', 'fills', 'positions', 'balance'];
/** Longer than a reading of the clock is good for, shorter than the comparison. */
const STALE_MS = 34_000;

let emulator: KalshiEmulator;
let service: World;
let venues: Venues;
let watch: VenueWatch;

beforeAll(async () => {
  emulator = await startKalshiEmulator();
  const keyFile = newKalshiKey(emulator, 'k');
  service = await openWorld({
    environment: {
      INLAY_VENUES: 'kalshi',
      INLAY_KALSHI_URL: emulator.url,
      INLAY_KALSHI_KEY_ID: 'k',
      INLAY_KALSHI_PRIVATE_KEY_FILE: keyFile,
    },
  });
  const { sql, context } = service;
  venues = openDeployedVenues(context);
  for (const list of READS) {
    // each list is read by one comparison more than once
    emulator.faults.arm({ kind: 'late', ms: SLOW_MS }, `GET /portfolio/${list}`, 100);
  }
  const witness = createWitness(sql, context.environment.dataDir);
  const ports = { ...createRecordPorts(sql), log: context.log, clock: context.clock, ticks: systemTicks, witness };
  watch = await watchVenues(ports, venues.list, () => undefined);
});
afterAll(async () => {
  await emulator?.close();
  await watch?.close();
  await venues?.close();
  await service?.close();
});

test('a comparison that takes longer than a reading of the clock is good for leaves the clock known', {
  timeout: 120_000,
}, async () => {
  const known = () => watch.clocksAgree('kalshi');
  await until(async () => expect(await known()).toBe(true), 30_000);
  const begun = systemTicks();
  await until(() => expect(systemTicks() - begun).toBeGreaterThan(STALE_MS), 60_000);
  expect(watch.shut('kalshi')).toBe('our account at the venue has not been compared yet');
  await until(async () => expect(await known()).toBe(true), 30_000);
});
