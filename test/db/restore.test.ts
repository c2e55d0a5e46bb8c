/** The runbook's backup and restore, with its own scripts: to a moment between two orders, after which the books begin a new epoch. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { createWitness } from '../../src/db/books-witness.ts';
import { connect } from '../../src/db/client.ts';
import { openListener } from '../../src/db/listener.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { nameMaker } from '../support/database.ts';
import { hasDebianServer, openBackupMachine } from '../support/debian-server.ts';
import { seedMarket } from '../support/market.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const SCRIPTS = ['archive-wal.sh', 'base-backup.sh', 'restore.sh'];
const FAST = ['fsync=off', 'wal_level=replica', 'archive_mode=on'];

async function order(service: World, contractId: string, clientOrderId: string): Promise<string> {
  const user = 'ana';
  const quote = await service.request('POST', '/api/v1/quotes', {
    user,
    body: { marketId: contractId, side: 'YES', action: 'buy', stake: 5 },
  });
  const placed = await service.request('POST', '/api/v1/orders', {
    user,
    body: { quoteId: quote.body.quoteId, clientOrderId },
  });
  expect(placed.status, placed.text).toBe(201);
  return placed.body.orderId;
}

describe.skipIf(!hasDebianServer)('backups', () => {
  test('a restore to a point in time has every order before it, raises the epoch, and refuses the cursors of what is gone', async () => {
    const machine = openBackupMachine();
    const memory = mkdtempSync(join(tmpdir(), 'inlay-witness-'));
    const script = (name: string) => join(machine.folder, name);
    for (const name of SCRIPTS) {
      copyFileSync(join(projectRoot, 'deploy', 'backup', name), script(name));
    }
    const [wal, base] = [join(machine.folder, 'wal'), join(machine.folder, 'base')];
    const settings = [...FAST, `archive_command=${script('archive-wal.sh')} "%p" "%f" ${wal}`];
    machine.run(
      'initdb',
      '-D',
      join(machine.folder, 'main'),
      '-U',
      'inlay_owner',
      '--auth',
      'trust',
      '-N',
      '-E',
      'UTF8',
      '--locale',
      'C',
    );
    const main = await machine.start('main', settings);
    const urls = (port: number) => ({
      ownerUrl: `postgres://inlay_owner@127.0.0.1:${port}/inlay`,
      url: `postgres://inlay_service@127.0.0.1:${port}/inlay`,
      adminUrl: `postgres://inlay_admin@127.0.0.1:${port}/inlay`,
      auditUrl: `postgres://inlay_auditor@127.0.0.1:${port}/inlay`,
    });
    const before = urls(main.port);
    const newName = nameMaker();
    const admin = new pg.Pool({ connectionString: `postgres://inlay_owner@127.0.0.1:${main.port}/postgres`, max: 1 });
    admin.on('error', () => {});
    await until(() => admin.query('select 1'), 20_000);
    await admin.query('create role inlay_service login');
    await admin.query('create database inlay');
    await migrate(before.ownerUrl);
    const sql = connect(before.url, { max: 4, applicationName: 'inlay-test' });
    const service = await openWorld({
      database: { ...before, sql, listener: openListener(before.url, 'inlay-test'), newName, close: async () => {} },
    });
    const { contractId } = await seedMarket(sql, 'restored');
    await service.context.board.refresh();

    const first = await order(service, contractId, 'before the backup');
    machine.run(script('base-backup.sh'), `postgres://inlay_owner@127.0.0.1:${main.port}/postgres`, base);
    const second = await order(service, contractId, 'after the backup');
    const { rows } = await admin.query<{ now: string }>('select clock_timestamp()::text as now');
    const lost = await order(service, contractId, 'after the moment');
    await createWitness(sql, memory).beat();
    const { nextCursor } = (await service.request('GET', '/api/v1/reconciliation/feed?limit=500')).body;
    await admin.query('select pg_switch_wal()');
    await service.close();
    await sql.end({ timeout: 1 });
    await admin.end();
    // the archiver keeps what is left before the server ends
    await main.stop();

    const copy = machine.run('ls', base).split('\n').at(-1) ?? '';
    machine.run(script('restore.sh'), join(base, copy), wal, join(machine.folder, 'restored'), rows[0]?.now ?? '');
    expect(() => machine.run(script('restore.sh'), join(base, copy), wal, join(machine.folder, 'restored'))).toThrow(
      'a restore needs a new folder',
    );
    const restored = await machine.start('restored', settings);
    const after = urls(restored.port);
    const again = connect(after.url, { max: 4, applicationName: 'inlay-test' });
    try {
      await until(
        async () => (await again<{ recovering: boolean }[]>`select pg_is_in_recovery() as recovering`)[0]?.recovering,
        (recovering) => recovering === false,
        30_000,
      );
      const kept = await again<{ orderId: string }[]>`select order_id from orders`;
      expect(kept.map(({ orderId }) => orderId).sort()).toEqual([first, second].sort());
      expect(kept.map(({ orderId }) => orderId)).not.toContain(lost);
      expect(await createWitness(again, memory).beat()).toMatchObject({ epoch: 2, lost: true });
      const opened = await openWorld({
        database: {
          ...after,
          sql: again,
          listener: openListener(after.url, 'inlay-test'),
          newName,
          close: async () => {},
        },
      });
      const refused = await opened.request('GET', `/api/v1/reconciliation/feed?cursor=${nextCursor}`);
      expect([refused.status, refused.body]).toMatchObject([409, { error: 'cursor_ahead', epoch: 2 }]);
      const report = await opened.request('GET', '/api/v1/reconciliation');
      expect([report.status, report.body.ok]).toEqual([200, true]);
      await opened.close();
    } finally {
      await again.end({ timeout: 1 });
      await restored.stop();
      machine.close();
      rmSync(memory, { recursive: true, force: true });
    }
  }, 120_000);
});
