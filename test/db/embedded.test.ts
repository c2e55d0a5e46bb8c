/** The embedded server ends with its last user, however that ended, and comes back with its data after anything. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { connect } from '../../src/db/client.ts';
import { findClusterPaths } from '../../src/db/embedded/cluster-paths.ts';
import { AlreadyRunning, type OpenOptions, openDatabase } from '../../src/db/embedded/embedded.ts';
import { isAlive, type Program, processesWith, runProgram, startProgram } from '../support/process.ts';

// a cluster is made on a disk that others may keep busy
vi.setConfig({ testTimeout: 120_000 });

/** A process that uses the database of a folder until it is told to stop. */
const user = join(projectRoot, 'test', 'support', 'use-database.ts');

const folders: string[] = [];
const relocated: string[] = [];
let dataDir = '';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-embedded-'));
  chmodSync(folder, 0o755);
  folders.push(folder);
  return join(folder, 'data');
}

function open(folder: string, options: OpenOptions = {}) {
  return openDatabase({ databaseUrl: undefined, databaseOwnerUrl: undefined, dataDir: folder }, options);
}

function startUser(folder: string, ...args: string[]): Program {
  return startProgram(process.execPath, [user, folder, ...args]);
}

function serverPid(folder: string): number {
  return Number(readFileSync(join(findClusterPaths(folder).clusterDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

function killWatchers(): void {
  const watchers = processesWith(join(dataDir, 'postgres', 'data', 'postmaster.pid'));
  expect(watchers).not.toEqual([]);
  for (const watcher of watchers) {
    process.kill(Number.parseInt(watcher, 10), 'SIGKILL');
  }
}

async function until(what: () => boolean): Promise<void> {
  for (let looks = 0; looks < 500; looks += 1) {
    if (what()) {
      return;
    }
    await sleep(20);
  }
  throw new Error('it did not come about');
}

async function readMark(folder: string): Promise<string[]> {
  const database = await open(folder);
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
  test('serves ten processes that start together on an empty folder, and ends with the last of them', async () => {
    const users = await Promise.all(
      Array.from({ length: 10 }, (_, index) => startUser(dataDir, `mark-${index}`, String(50 * index)).ended),
    );
    expect(users.map(({ code }) => code)).toEqual(Array(10).fill(0));
    expect(await readMark(dataDir)).toHaveLength(10);
    expect(() => serverPid(dataDir)).toThrow();
  });

  test('keeps secrets to their owner', () => {
    expect(statSync(join(dataDir, 'database.json')).mode & 0o077).toBe(0);
    expect(statSync(join(dataDir, 'postgres', 'data')).mode & 0o077).toBe(0);
  });

  test('stops when its only user is killed', async () => {
    const killed = startUser(dataDir, 'killed', 'forever');
    await killed.prints(/ready/);
    const pid = serverPid(dataDir);
    killed.child.kill('SIGKILL');
    await until(() => !isAlive(pid));
  });

  test('stays for a second user when the one that started it is killed', async () => {
    const first = startUser(dataDir, 'first', 'forever');
    await first.prints(/ready/);
    const second = startUser(dataDir, 'second', 'forever');
    await second.prints(/ready/);
    const pid = serverPid(dataDir);
    first.child.kill('SIGKILL');
    await sleep(500);
    expect(isAlive(pid)).toBe(true);
    second.child.kill('SIGTERM');
    expect((await second.ended).code).toBe(0);
    expect(isAlive(pid)).toBe(false);
  });

  test('recovers with its data after everything was killed at once', async () => {
    const killed = startUser(dataDir, 'before-the-crash', 'forever');
    await killed.prints(/ready/);
    const pid = serverPid(dataDir);
    killWatchers();
    process.kill(pid, 'SIGKILL');
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(await readMark(dataDir)).toContain('before-the-crash');
  });

  test('replaces a server whose watcher is gone', async () => {
    const killed = startUser(dataDir, 'orphaned', 'forever');
    await killed.prints(/ready/);
    const pid = serverPid(dataDir);
    killWatchers();
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(isAlive(pid)).toBe(true);
    expect(await readMark(dataDir)).toContain('orphaned');
    expect(isAlive(pid)).toBe(false);
  });

  test('starts over a pid file whose number another program has by now', async () => {
    const other = startProgram('sleep', ['60']);
    const path = join(findClusterPaths(dataDir).clusterDir, 'postmaster.pid');
    writeFileSync(path, `${other.child.pid}\n${join(dataDir, 'postgres', 'data')}\n`);
    expect(await readMark(dataDir)).toContain('killed');
    expect(isAlive(other.child.pid ?? 0)).toBe(true);
    other.child.kill();
  });

  test('comes back on its own port when the server alone is killed under a service', async () => {
    const database = await open(dataDir, { service: 'up' });
    const sql = connect(database.url, { max: 1, applicationName: 'test' });
    try {
      await sql`select 1`;
      const pid = serverPid(dataDir);
      process.kill(pid, 'SIGKILL');
      await until(() => {
        try {
          return serverPid(dataDir) !== pid;
        } catch {
          return false;
        }
      });
      let answered = false;
      for (let tries = 0; tries < 50 && !answered; tries += 1) {
        answered = await sql`select 1`.then(
          () => true,
          () => false,
        );
        if (!answered) {
          await sleep(100);
        }
      }
      expect(answered).toBe(true);
    } finally {
      await sql.end({ timeout: 1 });
      await database.close();
    }
  });

  test('tells a second service in the folder that one runs, and lets commands join it', async () => {
    const first = await open(dataDir, { service: 'up' });
    try {
      const second = open(dataDir, { service: 'up' });
      await expect(second).rejects.toThrow(AlreadyRunning);
      await expect(second).rejects.toThrow(`"inlay up" (process ${process.pid}) already runs in this folder`);
      const command = await open(dataDir);
      expect(command.url).toBe(first.url);
      await command.close();
    } finally {
      await first.close();
    }
  });
});

describe.runIf(process.getuid?.() === 0)('as root', () => {
  test('lives elsewhere when the folder is below one that only its owner enters', async () => {
    const closed = mkdtempSync(join(tmpdir(), 'inlay-closed-'));
    folders.push(closed);
    mkdirSync(join(closed, 'project'));
    const folder = join(closed, 'project', '.inlay');
    const database = await open(folder);
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
    const reachable = await runProgram('test', ['-r', user], { uid: nobody, gid: nobody });
    if (reachable.code !== 0) {
      // the project itself is where only root reads: nobody cannot run any of it
      return;
    }
    const ran = await runProgram(process.execPath, [user, join(closed, 'data'), 'mine', '0'], {
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
