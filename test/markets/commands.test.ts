/** The `markets` commands against a real database and the real paper venue: JSON, effects, exit codes. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { SERVICE_ROLE } from '../../src/db/embedded/cluster.ts';
import { locatePaperVenue } from '../../src/venues/addresses.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
let dataDir: string;
const venues: ChildProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = mkdtempSync(join(tmpdir(), 'inlay-markets-'));
  for (const name of ['paper', 'paper-2']) {
    venues.push(
      spawn(process.execPath, [join(projectRoot, 'src/paper/main.ts'), name], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        env: { ...process.env, DATABASE_URL: database.url, INLAY_DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
      }),
    );
    await until(async () => expect(await locatePaperVenue(database.sql)(name)).toBeDefined(), 20_000);
  }
}, 60_000);

afterAll(async () => {
  for (const venue of venues) {
    venue.kill('SIGKILL');
  }
  await database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Runs a command class from its source file with --json. */
function markets(command: string, ...argv: string[]): Promise<{ exitCode: number; json: Record<string, unknown> }> {
  const file = join(projectRoot, 'src/commands/markets', `${command}.ts`);
  const script = `import(${JSON.stringify(file)}).then(({ default: C }) => C.run(process.argv.slice(1), ${JSON.stringify(projectRoot)}))`;
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
    INLAY_DATA_DIR: dataDir,
    INLAY_VENUES: 'paper,paper-2',
  };
  return new Promise((resolve) => {
    execFile(process.execPath, ['-e', script, '--', ...argv, '--json'], { env, cwd: projectRoot }, (error, stdout) => {
      resolve({ exitCode: error === null ? 0 : Number(error.code), json: JSON.parse(stdout) as never });
    });
  });
}

describe('markets', () => {
  let contractId: string;

  // contract 39.14
  test('sync reads every venue, and changes nothing the second time', async () => {
    const first = await markets('sync');
    expect(first).toMatchObject({ exitCode: 0, json: { venues: [{ venue: 'paper' }, { venue: 'paper-2' }] } });
    const [row] = await database.sql<{ contractId: string }[]>`
      select contract_id from contracts where status = 'open' and not five_minute order by 1 limit 1`;
    contractId = row?.contractId ?? '';
    expect(contractId).toMatch(/^ctr_/);
  });

  // contract 39.14
  test('pause, resume, resolve and reopen print the state of the contract', async () => {
    const say = async (...argv: [string, ...string[]]) => (await markets(...argv)).json;
    expect(await say('pause', contractId, '--yes')).toMatchObject({ contractId, status: 'paused', changed: true });
    expect(await say('resume', contractId)).toMatchObject({ status: 'open', changed: true });
    expect(await say('resolve', contractId, 'split:0.25', '--yes')).toEqual({
      contractId,
      status: 'resolved',
      resolution: 'SPLIT',
      splitYes: 0.25,
      changed: true,
    });
    expect(await say('resolve', contractId, 'split:0.25', '--yes')).toMatchObject({ changed: false });
    expect(await say('reopen', contractId, '--yes')).toMatchObject({ status: 'open', resolution: null, changed: true });
  });

  // contract 39.14
  test('groups lists what both venues list, verify makes it routable', async () => {
    const { json } = await markets('groups');
    const groups = json['groups'] as { groupKey: string; verified: boolean; venues: string[] }[];
    expect(groups.length).toBeGreaterThan(0);
    expect(groups[0]).toMatchObject({ verified: false, venues: ['paper', 'paper-2'] });
    const groupKey = groups[0]?.groupKey ?? '';
    expect(await markets('verify', groupKey, '--yes')).toMatchObject({
      exitCode: 0,
      json: { groupKey, verified: true },
    });
    const [row] = await database.sql`select verified_by from routing_groups where group_key = ${groupKey}`;
    expect(row?.['verifiedBy']).toBe(SERVICE_ROLE);
  });

  test('refuses with the right exit code', async () => {
    expect(await markets('pause', 'ctr_none')).toMatchObject({ exitCode: 3, json: { error: 'market_not_found' } });
    expect((await markets('resolve', contractId, 'perhaps')).exitCode).toBe(2);
    expect((await markets('resolve', contractId)).exitCode).toBe(2);
    expect((await markets('verify', 'none', '--yes')).exitCode).toBe(3);
  });
});
