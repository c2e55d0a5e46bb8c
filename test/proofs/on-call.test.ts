/**
 * What the person on call sees while the processes of a service are killed, frozen and locked out: `top` keeps its screen and goes on,
 * `doctor` ends and names what it waits for, and a frozen worker is replaced. Real processes, started by `up`.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findClusterPaths } from '../../src/db/embedded/cluster-paths.ts';
import { childrenOf, freezeWithChildren, inlay, type Program, startInlay } from '../support/process.ts';
import { hasTerminals, openTerminal, type Terminal } from '../support/terminal.ts';
import { until } from '../support/until.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

interface Found {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

let folder = '';
let env: Record<string, string> = {};
let up: Program;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'inlay-on-call-'));
  env = {
    INLAY_DATA_DIR: join(folder, 'data'),
    PORT: '0',
    LOG_LEVEL: 'error',
    XDG_CONFIG_HOME: join(folder, 'config'),
  };
  up = startInlay(['up', '--json'], { env });
  await up.prints(/\n\}\n/);
});
afterAll(async () => {
  up.child.kill('SIGTERM');
  await up.ended;
  rmSync(findClusterPaths(env['INLAY_DATA_DIR'] ?? '').location, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
});

/** The server's own file: its process in the first line, its port in the fourth. */
function readServer(): { pid: number; port: number } {
  const { clusterDir } = findClusterPaths(env['INLAY_DATA_DIR'] ?? '');
  const lines = readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]) };
}

async function openOwner(): Promise<{ owner: pg.Client; pid: number }> {
  const { ownerPassword } = findClusterPaths(env['INLAY_DATA_DIR'] ?? '');
  const owner = new pg.Client({
    connectionString: `postgres://inlay_owner:${ownerPassword}@127.0.0.1:${readServer().port}/inlay`,
  });
  await owner.connect();
  const { rows } = await owner.query<{ pid: number }>('select pg_backend_pid() as pid');
  return { owner, pid: rows[0]?.pid ?? 0 };
}

async function doctor(): Promise<(name: string) => Found | undefined> {
  const { stdout } = await inlay(['doctor', '--json'], { env });
  const { checks } = JSON.parse(stdout) as { checks: Found[] };
  return (wanted) => checks.find(({ name }) => name === wanted);
}

/** Resolves when the screen was drawn anew without the line that the database has not answered. */
const goesOn = (top: Terminal) =>
  until(() => {
    const [, ...later] = top.text().slice(top.text().lastIndexOf('has not answered')).split('inlay top');
    expect(later.length).toBeGreaterThan(1);
  });

describe.skipIf(!hasTerminals)('top keeps its screen', () => {
  let top: Terminal;
  beforeAll(async () => {
    top = openTerminal('top --interval 1', env);
    await top.shows('q quit');
  });
  afterAll(async () => {
    top.press('q');
    expect(await top.ended).toEqual([0, null]);
  });

  test('the database is killed, stays away for a while and comes back', async () => {
    // while the service is frozen it starts no other server
    process.kill(up.child.pid ?? 0, 'SIGSTOP');
    process.kill(readServer().pid, 'SIGKILL');
    await until(() => expect(top.text()).toMatch(/The database has not answered for (?:[3-9]|\d\d+) s/));
    expect(top.text()).toContain('ECONNREFUSED');
    process.kill(up.child.pid ?? 0, 'SIGCONT');
    await goesOn(top);
  });

  test('a table is locked: its holder is named, and the API is not blamed', async () => {
    const { owner, pid } = await openOwner();
    const before = top.text().length;
    await owner.query('begin; lock table journal in access exclusive mode');
    await top.shows(`it waits for pid ${pid}, inlay_owner, since `);
    const locked = top.text().slice(before);
    await owner.query('rollback');
    expect(locked).not.toContain('does not answer');
    await goesOn(top);
    // a table that no reading needs, and another session that does
    const other = await openOwner();
    await owner.query('begin; lock table customers in access exclusive mode');
    const waiting = other.owner.query('select from customers');
    await top.shows(`for pid ${pid}, inlay_owner, since `);
    await owner.query('rollback');
    await waiting;
    await Promise.all([owner.end(), other.owner.end()]);
  });

  test('the database is frozen, and goes on', async () => {
    const before = top.text().length;
    const thaw = freezeWithChildren(readServer().pid);
    try {
      await until(() => expect(top.text().slice(before)).toContain('The database has not answered for '));
      const found = await doctor();
      expect(found('database')).toEqual({ name: 'database', ok: false, detail: 'no answer within 5 s' });
      expect(found('api')).toMatchObject({ ok: false, detail: expect.stringMatching(/ answers unhealthy$/) });
    } finally {
      thaw();
    }
    await goesOn(top);
  });
});

test('doctor says that a frozen API has not answered, and does not advise to start it', async () => {
  process.kill(up.child.pid ?? 0, 'SIGSTOP');
  const found = await doctor();
  process.kill(up.child.pid ?? 0, 'SIGCONT');
  expect(found('api')).toMatchObject({ ok: false, detail: expect.stringMatching(/ has not answered for 5 s$/) });
  expect(found('database')).toMatchObject({ ok: true });
});

test('a worker that is frozen for a minute is replaced', async () => {
  const workers = () =>
    childrenOf(up.child.pid ?? 0).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('jobs/main'));
  const [frozen = 0] = workers();
  process.kill(frozen, 'SIGSTOP');
  await until(() => expect(workers()).toEqual([expect.toSatisfy((pid) => pid !== frozen)]), 180_000);
  await until(async () => expect((await doctor())('workers')).toMatchObject({ ok: true }));
});
