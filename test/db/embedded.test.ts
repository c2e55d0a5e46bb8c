/** The embedded server has one owner, ends with it, however that ended, and comes back with its data after anything. */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { readEnvironment } from '../../src/core/environment.ts';
import { connect } from '../../src/db/client.ts';
import { ADMIN_ROLE, PROGRAM_ENVIRONMENT, SERVICE_ROLE } from '../../src/db/embedded/cluster.ts';
import { findClusterPaths, prepareBinaries } from '../../src/db/embedded/cluster-paths.ts';
import { AlreadyRunning, DatabaseNotRunning, openDatabase, startDatabase } from '../../src/db/embedded/embedded.ts';
import { serverSettings } from '../../src/db/embedded/postmaster.ts';
import { migrate, openReadyDatabase } from '../../src/db/schema/migrate.ts';
import { freePort } from '../support/free-port.ts';
import { isAlive, type Program, processesWith, runProgram, startProgram } from '../support/process.ts';
import { until } from '../support/until.ts';

// a cluster is made on a disk that others may keep busy
vi.setConfig({ testTimeout: 120_000 });

/** A process that owns the database of a folder until it is told to stop. */
const owner = join(import.meta.dirname, 'database-process.ts');

const folders: string[] = [];
const relocated: string[] = [];
let dataDir = '';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-embedded-'));
  chmodSync(folder, 0o755);
  folders.push(folder);
  return join(folder, 'data');
}

function use(folder: string) {
  return openDatabase({ databaseUrl: undefined, databaseOwnerUrl: undefined, dataDir: folder });
}

function startOwner(folder: string, ...args: string[]): Program {
  return startProgram(process.execPath, [owner, folder, ...args]);
}

function serverPid(folder: string): number {
  return Number(readFileSync(join(findClusterPaths(folder).clusterDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

async function readMark(folder: string): Promise<string[]> {
  const database = await startDatabase(folder);
  const sql = connect(database.ownerUrl, { max: 1, applicationName: 'test' });
  try {
    await sql`create table if not exists marks (mark text)`;
    return (await sql<{ mark: string }[]>`select mark from marks order by mark`).map(({ mark }) => mark);
  } finally {
    await sql.end();
    await database.close();
  }
}

beforeAll(() => {
  dataDir = newFolder();
});

afterEach(() => {
  for (const folder of relocated.splice(0)) {
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('the embedded server', () => {
  test('belongs to one of five processes that start together on an empty folder, and ends with it', {
    timeout: 120_000,
  }, async () => {
    const owners = Array.from({ length: 5 }, (_, index) => startOwner(dataDir, `mark-${index}`, 'forever'));
    await until(() => expect(owners.filter(({ child }) => child.exitCode === 1)).toHaveLength(4), 90_000);
    const owner = owners.find(({ child }) => child.exitCode === null);
    await owner?.prints(/ready/);
    owner?.child.kill('SIGTERM');
    const ended = await Promise.all(owners.map((one) => one.ended));
    expect(ended.map(({ code }) => code).sort()).toEqual([0, 1, 1, 1, 1]);
    const refused = owners
      .map((one) => one.output().stderr)
      .filter((text) => text.includes('already runs in this folder'));
    expect(refused).toHaveLength(4);
    expect(await readMark(dataDir)).toHaveLength(1);
    expect(() => serverPid(dataDir)).toThrow();
  });

  test('keeps secrets to their owner', () => {
    expect(statSync(join(dataDir, 'database.json')).mode & 0o077).toBe(0);
    expect(statSync(join(dataDir, 'postgres', 'data')).mode & 0o077).toBe(0);
  });

  test('stops when its owner is killed', async () => {
    const killed = startOwner(dataDir, 'killed', 'forever');
    await killed.prints(/ready/);
    const pid = serverPid(dataDir);
    killed.child.kill('SIGKILL');
    await until(
      () => isAlive(pid),
      (alive) => !alive,
    );
  });

  test('starts again at once after its owner was killed', async () => {
    const killed = startOwner(dataDir, 'killed-before', 'forever');
    await killed.prints(/ready/);
    killed.child.kill('SIGKILL');
    expect(await readMark(dataDir)).toContain('killed-before');
  });

  test('is stopped by the next start where its owner left it running', async () => {
    const { clusterDir, account, log } = findClusterPaths(dataDir);
    const program = join(prepareBinaries(findClusterPaths(dataDir).location, account), 'bin', 'postgres');
    const settings = serverSettings({ durable: true, maxConnections: 20 }).flatMap((one) => ['-c', one]);
    const left = spawn(program, ['-D', clusterDir, '-p', String(await freePort()), ...settings], {
      ...account,
      cwd: '/',
      env: PROGRAM_ENVIRONMENT,
      stdio: ['ignore', openSync(log, 'w'), 'ignore'],
    });
    await until(() => existsSync(join(clusterDir, 'postmaster.pid')), Boolean);
    expect(await readMark(dataDir)).toContain('killed');
    expect(isAlive(left.pid ?? 0)).toBe(false);
  });

  test('recovers with its data after everything was killed at once', async () => {
    const killed = startOwner(dataDir, 'before-the-crash', 'forever');
    await killed.prints(/ready/);
    process.kill(serverPid(dataDir), 'SIGKILL');
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(await readMark(dataDir)).toContain('before-the-crash');
  });

  test('starts over a pid file whose number another program has by now', async () => {
    const other = startProgram('sleep', ['60']);
    const path = join(findClusterPaths(dataDir).clusterDir, 'postmaster.pid');
    writeFileSync(path, `${other.child.pid}\n${join(dataDir, 'postgres', 'data')}\n`);
    expect(await readMark(dataDir)).toContain('killed');
    expect(isAlive(other.child.pid ?? 0)).toBe(true);
    other.child.kill();
  });

  test('comes back on its own port when the server alone is killed', async () => {
    const database = await startDatabase(dataDir);
    const sql = connect(database.url, { max: 1, applicationName: 'test' });
    try {
      await sql`select 1`;
      const pid = serverPid(dataDir);
      process.kill(pid, 'SIGKILL');
      await until(
        () => serverPid(dataDir),
        (now) => now !== pid,
      );
      await until(() => sql`select 1`);
    } finally {
      await sql.end({ timeout: 1 });
      await database.close();
    }
  });

  test('tells a second owner in the folder that one runs, and lets commands use it', async () => {
    const first = await startDatabase(dataDir);
    try {
      const second = startDatabase(dataDir);
      await expect(second).rejects.toThrow(AlreadyRunning);
      await expect(second).rejects.toThrow(`"inlay up" (process ${process.pid}) already runs in this folder`);
      const command = await use(dataDir);
      expect(command.url).toBe(first.url);
      await command.close();
      expect(isAlive(serverPid(dataDir))).toBe(true);
    } finally {
      await first.close();
    }
  });

  // as docs/operations.md has it, "A login for each person"
  test('takes the login of a person, whatever host and port its address names', async () => {
    const database = await startDatabase(dataDir);
    try {
      await migrate(database.ownerUrl, SERVICE_ROLE, { adminRole: ADMIN_ROLE });
      const { ownerPassword } = JSON.parse(readFileSync(join(dataDir, 'database.json'), 'utf8'));
      const port = readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[3];
      const owner = connect(`postgres://inlay_owner:${ownerPassword}@127.0.0.1:${port}/inlay`, {
        max: 1,
        applicationName: 'test',
      });
      await owner.unsafe(`create role ann login password 'of: ann' in role inlay_admin`);
      await owner.end();
      const command = await openReadyDatabase(
        readEnvironment({
          INLAY_DATA_DIR: dataDir,
          DATABASE_ADMIN_URL: 'postgres://ann:of%3A%20ann@localhost:1/inlay',
        }),
      );
      const sql = connect(command.adminUrl, { max: 1, applicationName: 'test' });
      expect(await sql`select session_user::text as login from approvals right join (select) one on true`).toEqual([
        { login: 'ann' },
      ]);
      await sql.end();
      await command.close();
    } finally {
      await database.close();
    }
  });

  test('is not started, and no folder is made, by a process that only uses it', async () => {
    await expect(use(dataDir)).rejects.toThrow(DatabaseNotRunning);
    const none = newFolder();
    await expect(use(none)).rejects.toThrow(`no service runs in ${none}`);
    expect(existsSync(none)).toBe(false);
  });
});

describe.runIf(process.getuid?.() === 0)('as root', () => {
  test('lives elsewhere when the folder is below one that only its owner enters', async () => {
    const closed = mkdtempSync(join(tmpdir(), 'inlay-closed-'));
    folders.push(closed);
    mkdirSync(join(closed, 'project'));
    const folder = join(closed, 'project', '.inlay');
    const database = await startDatabase(folder);
    const { location, account } = findClusterPaths(folder);
    relocated.push(location);
    await database.close();
    expect(location.startsWith(closed)).toBe(false);
    expect(account?.uid).toBeGreaterThan(0);
    expect(await readMark(folder)).toEqual([]);
    expect(findClusterPaths(folder).location).toBe(location);
  });
});

describe.runIf(process.getuid?.() === 0)('for an ordinary user', () => {
  test('lives in the data folder', async () => {
    const nobody = 65_534;
    const closed = mkdtempSync(join(tmpdir(), 'inlay-nobody-'));
    folders.push(closed);
    const owned = await runProgram('chown', [`${nobody}:${nobody}`, closed]);
    expect(owned.code).toBe(0);
    const reachable = await runProgram('test', ['-r', owner], { uid: nobody, gid: nobody });
    if (reachable.code !== 0) {
      // the project itself is where only root reads: nobody cannot run any of it
      return;
    }
    const ran = await runProgram(process.execPath, [owner, join(closed, 'data'), 'mine', '0'], {
      uid: nobody,
      gid: nobody,
      env: { HOME: closed },
    });
    expect(ran).toMatchObject({ code: 0 });
    expect(statSync(join(closed, 'data', 'postgres', 'data')).uid).toBe(nobody);
  });
});

describe('cleaning up', () => {
  test('left no server behind', () => {
    expect(processesWith(dataDir)).toEqual([]);
    for (const folder of folders) {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
