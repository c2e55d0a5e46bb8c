/** What doctor says of the commits that a database keeps. */
import pg from 'pg';
import { expect, test } from 'vitest';
import { connect } from '../../src/db/client.ts';
import { describeDurability, inspectDatabase } from '../../src/db/inspect.ts';
import { startOwnServer } from '../support/own-server.ts';
import { startStandby } from '../support/standby.ts';
import { until } from '../support/until.ts';

test('doctor says which commits are lost with the server, and which settings decide it', async () => {
  const server = await startOwnServer();
  const owner = new pg.Client({ connectionString: server.ownerUrl });
  await owner.connect();
  try {
    const facts = await inspectDatabase(server.sql);
    expect(facts).toMatchObject({ standbyNames: '', commit: 'off', inRecovery: false });
    expect(describeDurability(facts, false)).toEqual({
      ok: false,
      warning: false,
      detail: 'a crash may lose commits: fsync, full_page_writes, synchronous_commit off',
    });
    await owner.query(`alter system set synchronous_standby_names = 'first 1 (a, b)'`);
    await owner.query('select pg_reload_conf()');
    const named = await until(
      () => inspectDatabase(server.sql),
      ({ standbyNames }) => standbyNames !== '',
    );
    const kept = { ...named, unsafe: [] };
    expect(describeDurability({ ...kept, commit: 'on' }, false)).toMatchObject({
      ok: true,
      detail: expect.stringContaining('each waits for first 1 (a, b)'),
    });
    expect(describeDurability({ ...kept, commit: 'local' }, false)).toMatchObject({
      ok: false,
      warning: true,
      detail: expect.stringContaining('synchronous_commit is local'),
    });
    const alone = { ...kept, commit: 'on', standbyNames: '' };
    expect(describeDurability(alone, false)).toMatchObject({ ok: false, warning: true });
    expect(describeDurability(alone, true)).toMatchObject({
      ok: true,
      detail: expect.stringContaining('commits that no standby has are lost'),
    });
  } finally {
    await owner.end();
    await server.close();
  }
}, 60_000);

test('a server in recovery takes no orders, and doctor reports it', { timeout: 60_000, tags: 'proof' }, async () => {
  const standby = await startStandby();
  const sql = connect(standby.url, { max: 1, applicationName: 'inlay-test' });
  const facts = await inspectDatabase(sql);
  expect(describeDurability(facts, false)).toMatchObject({
    ok: false,
    warning: false,
    detail: expect.stringContaining('in recovery'),
  });
  await sql.end();
  await standby.close();
});
