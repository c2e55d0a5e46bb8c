/** What doctor says would be lost if the primary died now. */
import { expect, test } from 'vitest';
import { describeLoss, type ReplicationState } from '../../src/db/inspect.ts';

const standby = { name: 'b', sync: 'sync', behindBytes: 120, lagSeconds: 0.1 } as const;
const state: ReplicationState = {
  standbys: [standby],
  slots: [],
  timeline: 3,
  unlogged: ['rate_counters'],
  archiving: true,
  archivedSecondsAgo: 12,
  archiveFails: false,
};
const safe = { standbyNames: 'first 1 (b, c)', commit: 'on', single: false };

const say = (changes: Partial<ReplicationState>, settings: Partial<typeof safe> = {}) =>
  Object.fromEntries(
    describeLoss({ ...state, ...changes }, { ...safe, ...settings }).map(({ name, ok, detail }) => [
      name,
      { ok, detail },
    ]),
  );

test('doctor says what is lost if the primary dies now', () => {
  expect(say({})['loss']).toEqual({
    ok: true,
    detail:
      'if the primary dies now, no acknowledged commit is lost: b has them all; timeline 3; a crash empties rate_counters',
  });
  expect(say({}, { commit: 'remote_write' })['loss']?.detail).toContain('in memory there, not yet on disk');
  expect(say({ standbys: [{ ...standby, sync: 'potential' }] })['loss']).toMatchObject({
    ok: false,
    detail: expect.stringContaining('none is connected: orders are 503'),
  });
  expect(
    say({ standbys: [{ name: null, sync: null, behindBytes: null, lagSeconds: null }] })['loss']?.detail,
  ).toContain('grant pg_monitor');
  expect(say({}, { standbyNames: '' })['loss']).toMatchObject({
    ok: false,
    detail: expect.stringContaining('what b has not received (120 bytes now)'),
  });
  for (const commit of ['local', 'off']) {
    expect(say({}, { commit })['loss']?.ok).toBe(false);
  }
  expect(say({ standbys: [] }, { standbyNames: '' })['loss']?.detail).toContain('since the last archived segment');
  const alone = say({ standbys: [], archiving: false }, { standbyNames: '', single: true });
  expect(alone['loss']).toMatchObject({ ok: true, detail: expect.stringContaining('since the last backup') });
  expect([alone['standbys']?.ok, alone['archive']?.ok]).toEqual([true, true]);
});

test('doctor names late standbys, slots that keep the log without a reader, and an archive that fails', () => {
  expect(say({})['standbys']).toEqual({ ok: true, detail: 'standbys b (sync, 120 bytes behind, 0.1 s late)' });
  expect(say({ standbys: [{ ...standby, lagSeconds: 11 }] })['standbys']?.ok).toBe(false);
  expect(say({ standbys: [] })['standbys']).toEqual({ ok: false, detail: 'no standby' });
  const kept = { name: 'gone', active: false, keptBytes: 2 * 1024 ** 3, walStatus: 'extended' };
  expect(say({ slots: [kept] })['standbys']).toMatchObject({
    ok: false,
    detail: expect.stringContaining('slot gone keeps 2048 MB'),
  });
  expect(say({ slots: [{ ...kept, keptBytes: 1000 }] })['standbys']?.ok).toBe(true);
  expect(say({ slots: [{ ...kept, active: true, walStatus: 'lost' }] })['standbys']?.ok).toBe(false);
  expect(say({})['archive']).toEqual({ ok: true, detail: 'the log was archived 12 s ago' });
  for (const changes of [
    { archiving: false },
    { archiveFails: true },
    { archivedSecondsAgo: null },
    { archivedSecondsAgo: 4_000 },
  ]) {
    expect([changes, say(changes)['archive']?.ok]).toEqual([changes, false]);
  }
});
