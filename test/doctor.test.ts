/** `doctor`: what should run beside the API, told as it is; one JSON document of checks, and exit 5 where a running service lacks something. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readOn } from '../src/audit/read-on.ts';
import { removeRunningService, writeRunningService } from '../src/cli/known-services.ts';
import { openContext } from '../src/context.ts';
import { readEnvironment } from '../src/core/environment.ts';
import { listLockHolders } from '../src/db/lock-holders.ts';
import { startIngestion } from '../src/jobs/ingest.ts';
import { startTransmission } from '../src/jobs/transmit.ts';
import { toldOf } from '../src/ledger/render/told.ts';
import { checkRecordedTimes } from '../src/operations/checks.ts';
import { runChecks } from '../src/operations/run-checks.ts';
import { maintainPartitions } from '../src/operations/upkeep.ts';
import { createSecretBox } from '../src/webhooks/endpoint-secret.ts';
import { addEndpoint } from '../src/webhooks/endpoints.ts';
import { relayEvents } from '../src/webhooks/relay.ts';
import { inlay } from './support/process.ts';
import { onlyVenues, ScriptedVenue } from './support/scripted-venue.ts';
import { until } from './support/until.ts';
import { withoutTriggers } from './support/without-triggers.ts';
import { inspectWork } from './support/work-checks.ts';
import { openWorld, type World } from './support/world.ts';
import { startVenue } from './venues/support.ts';

const SECRET = 'a secret that only tests know';
let service: World;

beforeAll(async () => {
  service = await openWorld();
});
afterAll(() => service.close());

async function look(environment: Readonly<Record<string, string>> = {}) {
  const read = readEnvironment({
    INLAY_DATA_DIR: service.context.environment.dataDir,
    INLAY_SECRET: SECRET,
    ...environment,
  });
  const checks = await inspectWork(service.database, read);
  return Object.fromEntries(checks.map(({ name, ok, detail }) => [name, { ok, detail }]));
}

test('a service without a worker or a venue', async () => {
  expect(await look()).toEqual({
    workers: { ok: false, detail: 'no worker is connected, none leads ingestion; "inlay worker" starts one' },
    restarts: { ok: true, detail: 'no restart in the last hour' },
    feeds: { ok: false, detail: 'paper not connected, no books yet' },
    backlog: { ok: true, detail: 'no work is overdue' },
    'venue paper': { ok: false, detail: 'does not answer: its address is not known' },
    accounts: { ok: true, detail: 'the books match our accounts' },
    trading: { ok: true, detail: 'not stopped anywhere' },
    orders: { ok: true, detail: 'none waits for its outcome' },
    books: { ok: true, detail: 'no report has run yet' },
    secrets: { ok: true, detail: '0 webhook secrets can be read' },
    partitions: {
      ok: true,
      detail: expect.stringMatching(/^the last month of the journal ends 20\S+, the last week of quotes ends 20\S+$/),
    },
  });
});

test('doctor fails when the coming month of the journal or week of quotes has no table', async () => {
  const { sql, database } = service;
  const [next] = await sql<{ month: string; week: string }[]>`
    select to_char(date_trunc('month', now() at time zone 'UTC') + interval '1 month', '"journal_"YYYYMM') as month,
      to_char(date_trunc('week', now() at time zone 'UTC') + interval '7 days', '"quotes_"YYYYMMDD') as week`;
  await withoutTriggers(database.ownerUrl, `drop table ${next?.month}`);
  expect((await look())['partitions']).toMatchObject({
    ok: false,
    detail: expect.stringMatching(
      /^the coming month of the journal has no table \(the last ends 20\S+-01\); a worker makes it$/,
    ),
  });
  await withoutTriggers(database.ownerUrl, `drop table ${next?.week}`);
  expect((await look())['partitions']?.detail).toMatch(
    /month of the journal.*, the coming week of quotes has no table/,
  );
  await maintainPartitions(service.context.sql, service.context.log);
  expect((await look())['partitions']).toMatchObject({ ok: true });
});

test('doctor names a log that is more than an hour behind its feed', async () => {
  const { sql, operator } = service;
  await sql`select ensure_customer(${operator.operatorId}, 'ana')`;
  expect((await look())['backlog']?.ok).toBe(true);
  await withoutTriggers(
    service.database.ownerUrl,
    `update journal set recorded_at = recorded_at - interval '2 hours' where operator_id = '${operator.operatorId}'`,
  );
  expect((await look())['backlog']).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/feed-logs: 1, since 72\d\d s/),
  });
  await withoutTriggers(
    service.database.ownerUrl,
    `update journal set recorded_at = recorded_at + interval '2 hours' where operator_id = '${operator.operatorId}'`,
  );
});

// contract 22.21
test('doctor fails while entries are recorded ahead of the clock of the database', async () => {
  const { sql, operator } = service;
  const move = (by: string) => sql`
    update operator_ledgers set recorded_at = recorded_at + ${by}::interval where operator_id = ${operator.operatorId}`;
  expect(await checkRecordedTimes(sql)).toMatchObject({ ok: true });
  await move('1 day');
  expect(await checkRecordedTimes(sql)).toMatchObject({
    ok: false,
    detail: expect.stringContaining(': demo until 2'),
  });
  await move('-1 day');
});

test('the command prints one document and ends with 5, since the API answers', async () => {
  const { dataDir } = service.context.environment;
  // the address is where "up" wrote it
  writeRunningService(dataDir, { url: service.url, apiKey: null });
  const ran = await inlay(['doctor', '--json'], {
    env: {
      DATABASE_URL: service.database.url,
      DATABASE_OWNER_URL: service.database.ownerUrl,
      INLAY_DATA_DIR: dataDir,
      INLAY_SECRET: SECRET,
    },
  });
  removeRunningService(dataDir);
  const { checks } = JSON.parse(ran.stdout) as { checks: { name: string; ok: boolean; detail: string }[] };
  for (const check of checks) {
    expect(Object.keys(check)).toEqual(['name', 'ok', 'detail']);
  }
  expect(checks.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'roles',
      'clock',
      'recorded times',
      'workers',
      'feeds',
      'backlog',
      'venue paper',
      'secrets',
      'partitions',
      'api',
    ]),
  );
  expect(checks.find(({ name }) => name === 'api')?.detail).toContain(service.url);
  expect(ran.code).toBe(5);
});

test('what fails is printed first, then warnings, then a line that counts; the books are among the checks', async () => {
  const { sql, operator } = service;
  expect((await look())['books']).toMatchObject({ ok: true });
  await sql`
    insert into reconciliation_reports (operator_id, claimed_at, ran_at, ok, report)
    values (${operator.operatorId}, now(), now(), false, '{}') on conflict (operator_id) do update set ok = false`;
  expect((await look())['books']).toMatchObject({ ok: false, detail: expect.stringContaining('not reconciled: demo') });
  const env = {
    DATABASE_URL: service.database.url,
    DATABASE_OWNER_URL: service.database.ownerUrl,
    INLAY_DATA_DIR: service.context.environment.dataDir,
    INLAY_SECRET: SECRET,
    INLAY_API_URL: service.url,
    NO_COLOR: '1',
  };
  const words = (text: string) => text.split('\n').flatMap((line) => /^(FAIL|warn|ok) /.exec(line)?.[1] ?? []);
  const all = await inlay(['doctor'], { env });
  const order = words(all.stdout).join(' ');
  expect(order).toMatch(/^(FAIL )+(warn )*(ok ?)+$/);
  expect(all.stdout.trimEnd().split('\n').at(-1)).toMatch(/^\d+ checks: [1-9]\d* failed, \d+ warnings?$/);
  const quiet = await inlay(['doctor', '--quiet'], { env });
  expect(words(quiet.stdout)).not.toContain('ok');
  expect(quiet.stdout).toContain('not reconciled: demo');
  await sql`update reconciliation_reports set ok = true where operator_id = ${operator.operatorId}`;
});

/** A session of the owner, with its number in the server. */
async function openOwner(): Promise<{ owner: pg.Client; pid: number }> {
  const owner = new pg.Client({ connectionString: service.database.ownerUrl });
  await owner.connect();
  const { rows } = await owner.query<{ pid: number }>('select pg_backend_pid() as pid');
  return { owner, pid: rows[0]?.pid ?? 0 };
}

/** Resolves when the session of a check has waited for a lock so long that it was seen. */
const waitsLong = (name: string) =>
  until(
    () => service.sql`
      select from pg_locks join pg_stat_activity using (pid)
      where application_name = ${`inlay-doctor ${name}`} and waitstart < clock_timestamp() - interval '2 seconds'`,
    ({ length }) => length > 0,
  );

test('while a table is locked, doctor ends and names who holds the lock', {
  tags: 'proof',
}, async () => {
  const { owner, pid } = await openOwner();
  await owner.query('begin; lock table journal in access exclusive mode');
  const { dataDir } = service.context.environment;
  const ran = await inlay(['doctor', '--json'], {
    env: {
      DATABASE_URL: service.database.url,
      DATABASE_OWNER_URL: service.database.ownerUrl,
      INLAY_DATA_DIR: dataDir,
      INLAY_SECRET: SECRET,
      INLAY_API_URL: service.url,
    },
  });
  // the table was locked until here
  await owner.query('rollback');
  await owner.end();
  const { checks } = JSON.parse(ran.stdout) as { checks: { name: string; ok: boolean; detail: string }[] };
  const found = (wanted: string) => checks.find(({ name }) => name === wanted);
  const held = new RegExp(
    `waits for pid ${pid}, ${new URL(service.database.ownerUrl).username}, since \\d+ s \\(on journal\\)$`,
  );
  expect(found('locks')).toMatchObject({ ok: false, detail: expect.stringMatching(held) });
  expect(found('locks')?.detail).toMatch(/^orders cannot be written: waits/);
  expect(found('backlog')).toMatchObject({ ok: false, detail: expect.stringMatching(held) });
  expect(found('api')).toMatchObject({ ok: false, detail: `${service.url} answers degraded` });
  expect(found('secrets')).toMatchObject({ ok: true });
  expect(ran.code).toBe(5);
});

test('a check that waited for a lock and passed is a warning', { tags: 'proof' }, async () => {
  const { owner, pid } = await openOwner();
  await owner.query('begin; lock table journal in access exclusive mode');
  const checking = runChecks(
    service.database,
    [
      {
        name: 'patient',
        run: async (sql) => ({ name: 'patient', ok: (await sql`select from journal`).length >= 0, detail: 'read' }),
      },
    ],
    String,
  );
  await waitsLong('patient');
  await owner.query('rollback');
  await owner.end();
  expect(await checking).toEqual([
    {
      name: 'patient',
      ok: false,
      warning: true,
      detail: expect.stringMatching(`^read; it waited \\d\\.\\d s for pid ${pid}, `),
    },
  ]);
});

test('a session that waits itself is not who holds the lock', async () => {
  const [reader, changer] = [await openOwner(), await openOwner()];
  await reader.owner.query('begin; lock table journal in access share mode');
  const changed = changer.owner.query('begin; lock table journal in access exclusive mode');
  const holders = await until(
    () => listLockHolders(service.sql),
    ([holder]) => holder !== undefined,
  );
  expect(holders).toMatchObject([{ pid: reader.pid, relations: ['journal'], waiters: [{ application: '' }] }]);
  const read = service.sql`select from journal`.execute();
  const both = await until(
    () => listLockHolders(service.sql),
    ([holder]) => holder?.waiters.length === 2,
  );
  expect(both.map(({ pid }) => pid)).toEqual([reader.pid]);
  await reader.owner.query('rollback');
  await changed;
  await changer.owner.query('rollback');
  await read;
  expect(await listLockHolders(service.sql)).toEqual([]);
  await Promise.all([reader.owner.end(), changer.owner.end()]);
});

test('webhook secrets: readable, readable by a previous INLAY_SECRET, and readable by none', async () => {
  const { sql } = service;
  const box = createSecretBox({ current: SECRET, previous: [] });
  const desk = { sql, box, policy: { allowLoopback: true } };
  const { endpointId } = await addEndpoint(desk, service.operator.operatorId, 'http://127.0.0.1:9/', []);
  expect((await look())['secrets']).toEqual({ ok: true, detail: '1 webhook secrets can be read' });
  const rotated = await look({ INLAY_SECRET: 'another one', INLAY_SECRET_PREVIOUS: SECRET });
  expect(rotated['secrets']).toMatchObject({ ok: true, detail: expect.stringContaining('INLAY_SECRET_PREVIOUS') });
  const lost = await look({ INLAY_SECRET: 'another one' });
  expect(lost['secrets']).toMatchObject({ ok: false, detail: expect.stringContaining(endpointId) });
});

test('events that wait for the relay are reported with their age', async () => {
  const { operatorId } = service.operator;
  const { sql } = service;
  const row = { operator_id: operatorId, kind: 'order_filled', items: 1, order_id: 'ord_1' };
  await sql`select append_to_journal('', array[json_populate_record(null::journal_row, ${JSON.stringify(row)}::text::json)])`;
  await withoutTriggers(
    service.database.ownerUrl,
    `update journal set recorded_at = recorded_at - interval '10 minutes' where operator_id = '${operatorId}' and order_id = 'ord_1'`,
  );
  const { backlog } = await look();
  expect(backlog).toMatchObject({ ok: false, detail: expect.stringMatching(/^webhook-relay: 1, since 6\d\d s/) });
  await relayEvents(sql);
  // on a slow machine the auditor would be late as well
  await readOn(sql, operatorId, toldOf);
  expect((await look())['backlog']?.ok).toBe(true);
});

test('a service whose worker, venue and feed are well', async () => {
  const { sql, context } = service;
  const running = await startVenue();
  await sql`insert into settings (name, value) values ('venue:paper', ${sql.json({ url: running.venue.url })})`;
  const job = startIngestion(context);
  const worker = openContext(context.environment, service.database.url, 'worker');
  const transmission = await startTransmission(worker, onlyVenues(new ScriptedVenue()));
  try {
    // one that died a moment ago
    await sql`select recover_webhooks('a worker', interval '12 seconds')`;
    await maintainPartitions(context.sql, context.log);
    const checks = await until(look, (found) => Object.values(found).every(({ ok }) => ok), 60_000);
    expect(checks['workers']?.detail).toBe('workers connected: 1; one of them leads ingestion');
    expect(checks['feeds']?.detail).toMatch(/^paper confirmed \d+\.\d s ago$/);
  } finally {
    await job.close();
    await transmission.close();
    await worker.close();
    await running.close();
  }
  const after = await until(look, ({ workers }) => workers?.ok === false);
  expect(after['workers']?.detail).toContain('no worker is connected');
}, 90_000);

test('what restarted in the last hour is a warning, once the service is older than that', async () => {
  const [started] = await service.sql<{ at: Date }[]>`
    update operators set created_at = now() - interval '2 hours' returning pg_postmaster_start_time() as at`;
  // this file's API process has a board
  const { restarts } = await look();
  expect(restarts).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/processes that started .*: 1, the last at 2/),
  });
  expect(restarts?.detail).toContain(`the database started at ${started?.at.toISOString()}`);
});

test('a service that listens to the network is warned of proxy settings that are missing', {
  tags: 'proof',
}, async () => {
  const proxies = async (environment: Readonly<Record<string, string>>) => {
    const ran = await inlay(['doctor', '--json'], {
      env: {
        DATABASE_URL: service.database.url,
        DATABASE_OWNER_URL: service.database.ownerUrl,
        INLAY_DATA_DIR: service.context.environment.dataDir,
        INLAY_SECRET: SECRET,
        INLAY_API_URL: 'http://127.0.0.1:9',
        ...environment,
      },
    });
    const { checks } = JSON.parse(ran.stdout) as { checks: { name: string; ok: boolean; detail: string }[] };
    return { ...checks.find(({ name }) => name === 'proxies'), code: ran.code };
  };
  expect(await proxies({})).toMatchObject({ ok: true, detail: 'listens on 127.0.0.1 only' });
  const bare = await proxies({ HOST: '0.0.0.0' });
  expect(bare.ok).toBe(false);
  expect(bare.detail).toMatch(/INLAY_TRUSTED_PROXIES is not set.*INLAY_PUBLIC_URL is not set/);
  const half = await proxies({ HOST: '::', INLAY_PUBLIC_URL: 'https://markets.example' });
  expect(half.ok).toBe(false);
  expect(half.detail).not.toContain('INLAY_PUBLIC_URL');
  const whole = await proxies({
    HOST: '0.0.0.0',
    INLAY_TRUSTED_PROXIES: '10.0.0.0/8',
    INLAY_PUBLIC_URL: 'https://markets.example',
  });
  expect(whole).toMatchObject({ ok: true, detail: 'trusts 10.0.0.0/8; reached as https://markets.example' });
  // a warning is no failure
  expect(bare.code).toBe(whole.code);
});
