/** The key of Kalshi: `doctor` says whether it can be used, it is rotated without a restart, and it never leaves the worker's memory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { projectRoot, readEnvironment } from '../../src/core/environment.ts';
import { connect } from '../../src/db/client.ts';
import { type KalshiEmulator, listExamples, startKalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { controlRequest } from '../../src/emulators/kalshi/requests.ts';
import { checkVenueAccounts } from '../../src/operations/checks.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const KEY_ID = 'key-1';
const SLOWEST_MS = 60_000;
const keyFile = join(temporaryFolder('kalshi-key'), 'key.pem');
let emulator: KalshiEmulator;
let environment: Record<string, string>;

const tell = (request: object) => emulator.control(controlRequest.parse(request));

/** A new key in the file, which the exchange knows. @returns the lines that are secret. */
function issueKey(parts: object = {}): string[] {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const publicPem = String(publicKey.export({ type: 'spki', format: 'pem' }));
  tell({ do: 'key', keyId: KEY_ID, publicKey: publicPem, cash: '1000', ...parts });
  return readFileSync(keyFile, 'utf8')
    .split('\n')
    .filter((line) => line.length > 30 && !line.startsWith('-----'));
}

beforeAll(async () => {
  emulator = await startKalshiEmulator();
  listExamples(emulator);
  environment = {
    INLAY_VENUES: 'kalshi',
    INLAY_KALSHI_URL: emulator.url,
    INLAY_KALSHI_KEY_ID: KEY_ID,
    INLAY_KALSHI_PRIVATE_KEY_FILE: keyFile,
  };
});
afterAll(() => emulator.close());

async function doctor(): Promise<Record<string, string>> {
  const checks = await checkVenueAccounts(readEnvironment(environment));
  return Object.fromEntries(checks.map(({ name, ok, detail }) => [name, `${ok ? 'ok' : 'not ok'}: ${detail}`]));
}

test('doctor says in one line each what is wrong with clock, key, scope, region and balance', async () => {
  issueKey();
  expect(await doctor()).toEqual({
    'kalshi clock': expect.stringMatching(/^ok: -?\d+ ms from that of this machine$/),
    'kalshi read side': expect.stringMatching(/^ok: orders, fills, positions and balance are [01]\.\d seconds late$/),
    'kalshi key': 'ok: key-1 is accepted',
    'kalshi scope': 'ok: read, write',
    'kalshi subaccount': 'ok: trades in 0; orders, fills and settlements of others are left out',
    'kalshi region': 'ok: the attestation of the region does not expire',
    'kalshi balance': 'ok: 1000 dollars (1000 on part 0, 0 on part 1, 0 on part 2, 0 on part 3)',
    'kalshi allocation': 'ok: none: the exchange moves no money between its parts',
    'kalshi limits': 'ok: tier basic: 200 read and 100 write tokens a second on each part',
  });
  issueKey({ scopes: ['read'], regionExpiresAt: '2026-01-01T00:00:00Z', cash: '0' });
  expect(await doctor()).toMatchObject({
    'kalshi scope': 'not ok: read: the key may not trade; it needs write or write::trade',
    'kalshi region': expect.stringMatching(/^not ok: the attestation of the region expired at 2026-01-01/),
    'kalshi balance': expect.stringMatching(/^not ok: 0 dollars .*: nothing can be bought$/),
  });
  tell({ do: 'reads', stale: true });
  tell({ do: 'clock', aheadMs: 15_000 });
  expect((await doctor())['kalshi read side']).toMatch(
    /^not ok: .* are 1[4-9]\.\d seconds late; until they catch up, no order is proven absent$/,
  );
  tell({ do: 'clock', aheadMs: 0 });
  tell({ do: 'reads', stale: false });
  writeFileSync(keyFile, 'no key at all');
  expect((await doctor())['kalshi key']).toMatch(
    /^not ok: key-1 cannot be used: INLAY_KALSHI_PRIVATE_KEY_FILE: the key file .* cannot be read: /,
  );
  issueKey();
  // the time for signatures is read there as well
  tell({ do: 'fault', on: 'GET /exchange/status', times: 2, fault: { kind: 'html' } });
  expect((await doctor())['kalshi clock']).toMatch(/^not ok: cannot be read at the exchange: /);
});

test('doctor --venues asks what no document settles, and sends no order', async () => {
  issueKey();
  const asked = async () => {
    const checks = await checkVenueAccounts(readEnvironment(environment), true);
    return Object.fromEntries(checks.map(({ name, ok, detail }) => [name, `${ok ? 'ok' : 'not ok'}: ${detail}`]));
  };
  const days = 'days that stay in the live lists: orders 14, fills 90, markets 90, positions 90';
  expect(await asked()).toMatchObject({
    'kalshi request costs': 'ok: 10 tokens per request, 2 per cancellation',
    'kalshi history': `ok: ${days}`,
    'kalshi settled positions': 'ok: live and archived positions can be read',
    'kalshi fee types': 'ok: known for all 2 series',
    'kalshi languages': 'ok: texts differ from English in: es, pt',
    'kalshi stream': 'ok: a market that does not exist is refused with error 16',
  });
  expect(Object.keys(await doctor())).not.toContain('kalshi history');
  tell({ do: 'stream_limits', silent: ['INLAY-NO-SUCH-MARKET'] });
  tell({ do: 'series', ticker: 'KXEXAMPLE', feeType: 'flat' });
  const body = { default_cost: 20, endpoint_costs: [] };
  tell({ do: 'fault', on: 'GET /account/endpoint_costs', fault: { kind: 'answer', status: 200, body } });
  tell({ do: 'fault', on: 'GET /historical/positions', fault: { kind: 'status', status: 500 } });
  expect(await asked()).toMatchObject({
    'kalshi request costs': 'not ok: 20 tokens per request, 20 per cancellation; the service calculates with 10 and 2',
    'kalshi settled positions': 'not ok: cannot be read at the exchange: GET: status 500',
    'kalshi fee types': 'not ok: unknown, so these series are not sold: flat (1 series)',
    'kalshi stream': 'ok: a market that does not exist is ignored',
  });
  tell({ do: 'series', ticker: 'KXEXAMPLE', feeType: 'quadratic' });
  tell({ do: 'stream_limits', silent: [] });
  expect(emulator.state.accounts.get(KEY_ID)?.orders.size).toBe(0);
});

test('a key is rotated without a restart, and is in no log, metric or row of the database', async () => {
  const service = await openWorld({ environment });
  const secrets = issueKey();
  let log = '';
  const worker = spawn(process.execPath, [join(projectRoot, 'src/jobs/main.ts')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...environment,
      DATABASE_URL: service.database.url,
      INLAY_DATA_DIR: service.context.environment.dataDir,
      INLAY_SECRET: 'a secret that only tests know',
      LOG_LEVEL: 'trace',
    },
  });
  worker.stdout?.on('data', (text: Buffer) => {
    log += text;
  });
  worker.stderr?.on('data', (text: Buffer) => {
    log += text;
  });
  try {
    await until(async () => expect(await comparedSince(service, 0)).toBe(true), SLOWEST_MS);
    // refusals and nonsense bring the errors out that are logged
    tell({ do: 'fault', on: 'GET /portfolio', times: 2, fault: { kind: 'status', status: 401 } });
    tell({ do: 'fault', on: 'GET /exchange', times: 2, fault: { kind: 'html' } });
    secrets.push(...issueKey());
    const rotatedAt = Date.now() + 6_000;
    await until(async () => expect(await comparedSince(service, rotatedAt)).toBe(true), SLOWEST_MS);
    expect(log.length).toBeGreaterThan(100);
    const metrics = await service.request('GET', '/metrics', { key: null });
    expect(metrics.status).toBe(200);
    const rows = await dump(service);
    expect(rows.length).toBeGreaterThan(5_000);
    for (const [place, text] of Object.entries({ log, metrics: metrics.text, rows, arguments: argumentsOf(worker) })) {
      for (const secret of secrets) {
        expect(text.includes(secret), `a line of the key is in ${place}`).toBe(false);
      }
    }
    expect(argumentsOf(worker)).toContain('jobs/main.ts');
  } finally {
    worker.kill('SIGTERM');
    await new Promise((resolve) => worker.once('exit', resolve));
    await service.close();
  }
});

async function comparedSince({ sql }: World, since: number): Promise<boolean> {
  const [row] = await sql<{ at: Date }[]>`select compared_at as at from venue_accounts where venue = 'kalshi'`;
  return row !== undefined && row.at.getTime() > since;
}

/** Every row of every table, as text. */
async function dump({ database }: World): Promise<string> {
  const sql = connect(database.ownerUrl, { max: 1, applicationName: 'test-owner' });
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`;
  const texts = await Promise.all(
    tables.map(({ name }) =>
      sql.unsafe<{ text: string }[]>(`select coalesce(string_agg(t::text, ' '), '') as text from ${name} t`),
    ),
  );
  await sql.end();
  return texts.map(([row]) => row?.text).join('\n');
}

const argumentsOf = ({ pid }: ChildProcess) => readFileSync(`/proc/${pid}/cmdline`, 'utf8');
