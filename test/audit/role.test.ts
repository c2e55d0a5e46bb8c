/** With a role of its own the auditor reads everything and writes its own books alone, and nobody else writes them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAnew, readOn } from '../../src/audit/read-on.ts';
import { connect, type Sql } from '../../src/db/client.ts';
import { inspectDatabase } from '../../src/db/inspect.ts';
import { migrate, roleOf } from '../../src/db/schema/migrate.ts';
import { toldOf } from '../../src/ledger/render/told.ts';
import { runReport } from '../../src/reconciliation/report.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
let auditor: Sql;
beforeAll(async () => {
  world = await openWorld();
  await world.buy(await world.openMarket('audited'), 'ana');
  const { ownerUrl, url, auditUrl } = world.database;
  await migrate(ownerUrl, roleOf(url), { auditRole: roleOf(auditUrl) });
  auditor = connect(auditUrl, { max: 2, applicationName: 'inlay-test-audit' });
});
afterAll(async () => {
  await auditor.end();
  await world.close();
});

// contract 41.8
test('a report of the service’s role rests on what the auditor’s role reads and writes', async () => {
  const { ok, findings, restsOn } = await runReport(world.sql, world.operator.operatorId, undefined, auditor);
  expect({ ok, findings }).toEqual({ ok: true, findings: [] });
  expect(restsOn.sequence).toBeGreaterThan(0);
});

test.each([
  'update audit.accounts set balance = 0',
  'delete from audit.findings',
  "insert into audit.deposits values ('op_x', 'dep_x', 'ana', 1)",
  'update audit.progress set sequence = 0',
])('the service’s role may not: %s', async (statement) => {
  await expect(world.sql.unsafe(statement)).rejects.toMatchObject({ code: '42501' });
});

test('doctor knows of the auditor’s role from the database, also where its address is not set', async () => {
  const auditors = [roleOf(world.database.auditUrl)];
  expect(await inspectDatabase(world.sql)).toMatchObject({ writesAudit: false, auditors });
});

test('the service’s role cannot read on in its place', async () => {
  await world.buy(await world.openMarket('audited-later'), 'ben');
  await expect(readOn(world.sql, world.operator.operatorId, toldOf)).rejects.toMatchObject({ code: '42501' });
  expect(await readOn(auditor, world.operator.operatorId, toldOf)).toBeGreaterThan(0);
});

test('the auditor’s role replaces its books, and the service’s role does not', async () => {
  await expect(readAnew(world.sql, world.operator.operatorId, toldOf)).rejects.toMatchObject({ code: '42501' });
  await readAnew(auditor, world.operator.operatorId, toldOf);
  expect((await runReport(world.sql, world.operator.operatorId, undefined, auditor)).findings).toEqual([]);
});

test.each([
  'update orders set status = status',
  'update positions set quantity_micros = quantity_micros',
  'update wallets set available = available',
  "insert into exposures values ('op_x', 'ana', 1)",
])('the auditor’s role may not: %s', async (statement) => {
  await expect(auditor.unsafe(statement)).rejects.toMatchObject({ code: '42501' });
});
