/** Exports as real processes over many rows: flat memory, a full disk, an interruption, a closed pipe; the feed's clean end. */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProgram } from '../support/process.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const ENTRIES = 60_000;
const BLOCK_ROWS = 500;
/** As wide as a ledger line is. */
const LINE = Buffer.from(`${'x'.repeat(160)},10.00,0.00,-9990.00\n`);
const script = join(import.meta.dirname, 'command-process.ts');
let world: World;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  world = await openWorld();
  folder = mkdtempSync(join(tmpdir(), 'inlay-export-'));
  await world.sql`select ensure_customer(${world.operator.operatorId}, 'bulk')`;
  await world.damage(`
    insert into journal (operator_id, sequence, items, kind, recorded_at, decided_at, external_user_id, digits, funds, available, other_account, other, memo)
      select '${world.operator.operatorId}', n, 1, 'wallet_funded', now() - interval '1 hour', now() - interval '1 hour', 'bulk', md5(n::text)::uuid, 'wallet', -5, 'sandbox:float', 5, 'Bulk "quoted", entry'
      from generate_series(2, ${ENTRIES}) n;
    update operator_ledgers set sequence = ${ENTRIES} where operator_id = '${world.operator.operatorId}';
    analyze journal`);
  env = {
    INLAY_API_URL: world.url,
    INLAY_API_KEY: world.key,
    XDG_CONFIG_HOME: '/nonexistent',
    NO_COLOR: '1',
  };
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world.close();
});

const run = (...argv: string[]) => startProgram(process.execPath, [script, ...argv], { env });
const file = (name: string) => join(folder, name);
const peak = (stderr: string) => Number(/peak (\d+) KiB/.exec(stderr)?.[1]) / 1024;
/** Gives that many rows as fast as they are taken, so that what comes is bounded by the reader alone. */
async function openRowSource(rows: number): Promise<{ url: string; close(): Promise<void> }> {
  const block = Buffer.concat(Array.from({ length: BLOCK_ROWS }, () => LINE));
  function* body() {
    yield Buffer.from('sequence\n');
    for (let left = rows; left > 0; left -= BLOCK_ROWS) {
      yield block.subarray(0, Math.min(left, BLOCK_ROWS) * LINE.length);
    }
  }
  const server = createServer((_request, response) => {
    const header = { kind: 'ledger', format: 'csv', from: null, to, appendOnly: true, rows, totals: {} };
    response.writeHead(200, { 'content-type': 'text/csv', 'x-export': JSON.stringify(header) });
    Readable.from(body(), { objectMode: false, highWaterMark: 1 << 16 }).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
const to = new Date().toISOString();
const ledger = (out: string, ...more: string[]) => [
  'reconciliation/export',
  '--kind',
  'ledger',
  '--to',
  to,
  '--out',
  out,
  ...more,
];

test('memory is flat, whatever the number of rows', { timeout: 120_000, tags: 'proof' }, async () => {
  const few = await run('reconciliation/export', '--kind', 'fees', '--out', file('few.csv')).ended;
  const many = await run(...ledger(file('whole.csv'))).ended;
  expect([few.code, many.code, many.stderr]).toEqual([0, 0, expect.stringMatching(/^\d{6} rows/)]);
  expect(peak(many.stderr) - peak(few.stderr)).toBeLessThan(60);
  expect(peak(many.stderr)).toBeLessThan(180);
});

// contract 25.2
test('memory is flat from ten thousand rows to a million, however fast they come', {
  timeout: 120_000,
  tags: 'proof',
}, async () => {
  const million = 1_000_000;
  const peaks: number[] = [];
  for (const rows of [million / 100, million]) {
    const source = await openRowSource(rows);
    const { code, stderr } = await startProgram(
      process.execPath,
      [script, 'reconciliation/export', '--kind', 'ledger', '--out', file(`source-${rows}.csv`)],
      { env: { ...env, INLAY_API_URL: source.url } },
    ).ended;
    await source.close();
    expect([code, stderr]).toEqual([0, expect.stringContaining(`${rows} rows`)]);
    expect(statSync(file(`source-${rows}.csv`)).size).toBeGreaterThan(rows * LINE.length);
    rmSync(file(`source-${rows}.csv`));
    peaks.push(peak(stderr));
  }
  expect((peaks[1] ?? 0) - (peaks[0] ?? 0)).toBeLessThan(60);
  expect(peaks[1]).toBeLessThan(180);
});

// contract 25.2, contract 25.6
test('a full disk: is reported, leaves no file that looks complete, and resumes to the byte', {
  timeout: 120_000,
  tags: 'proof',
}, async () => {
  const out = file('full.csv');
  const limited = startProgram(
    'sh',
    ['-c', `ulimit -f 4000; exec "$0" "$@"`, process.execPath, script, ...ledger(out)],
    { env },
  );
  const ended = await limited.ended;
  expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining('write_failed')]);
  expect(existsSync(out)).toBe(false);
  expect(existsSync(`${out}.sum`)).toBe(false);
  expect(statSync(`${out}.part`).size).toBeGreaterThan(1_000_000);
  const resumed = await run(...ledger(out, '--resume')).ended;
  expect(resumed.code).toBe(0);
  expect(sha256(out)).toBe(sha256(file('whole.csv')));
});

// contract 25.6
test('an interruption: 130, and resumes to the byte', { timeout: 120_000, tags: 'proof' }, async () => {
  const out = file('cut.csv');
  const program = run(...ledger(out));
  await until(() => expect(existsSync(`${out}.part`) && statSync(`${out}.part`).size > 100_000).toBe(true), 20_000);
  program.child.kill('SIGINT');
  const ended = await program.ended;
  if (ended.code !== 0) {
    expect([ended.code, ended.stderr]).toEqual([130, expect.stringContaining('--resume')]);
    expect(existsSync(out)).toBe(false);
    expect((await run(...ledger(out, '--resume')).ended).code).toBe(0);
  }
  expect(sha256(out)).toBe(sha256(file('whole.csv')));
});

test('feed tail --follow ends with a state that continues where the lines ended', {
  timeout: 120_000,
  tags: 'proof',
}, async () => {
  const state = file('feed.state');
  const program = run('feed/tail', '--follow', '--state', state);
  await until(() => expect(program.output().stdout.length > 200_000).toBe(true), 20_000);
  program.child.kill('SIGTERM');
  const first = await program.ended;
  expect(first.code).toBe(130);
  const rest = await run('feed/tail', '--state', state).ended;
  const sequences = `${first.stdout}${rest.stdout}`
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { sequence: number }).sequence);
  expect(sequences).toHaveLength(ENTRIES);
  expect(sequences.every((sequence, index) => sequence === index + 1)).toBe(true);
});
