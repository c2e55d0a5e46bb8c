/**
 * The service runs from what the Containerfile takes into the image: no second Node, and no database server. The image itself is built and
 * runs as user 10001 on a root that is read only where this machine has root, buildah and a copy of the base image.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { type Program, runProgram, startProgram } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const containerfile = readFileSync(join(projectRoot, 'deploy', 'container', 'Containerfile'), 'utf8');
const base = /^FROM (\S+) AS build$/m.exec(containerfile)?.[1] ?? '';
const canBuild =
  process.getuid?.() === 0 &&
  spawnSync('buildah', ['inspect', '--type', 'image', base], { stdio: 'ignore' }).status === 0;

/** The paths below the project that the image takes from the build. */
const taken = [...containerfile.matchAll(/^COPY --from=build .*?((?:\/build\/\S+ )+)/gm)].flatMap(([, paths = '']) =>
  paths
    .trim()
    .split(' ')
    .map((path) => path.replace('/build/', '')),
);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('nothing that the image takes from the build is left out of the build', () => {
  const ignored = readFileSync(join(projectRoot, '.dockerignore'), 'utf8').split('\n');
  const built = ['node_modules', 'dist'];
  expect(taken.length).toBeGreaterThan(5);
  expect(taken.filter((path) => ignored.includes(path) && !built.includes(path))).toEqual([]);
  // secrets of the compose file lie in the folder that is sent to the build
  expect(ignored).toContain('deploy/container/secrets');
});

const statusAt = (url: string): Promise<number> =>
  fetch(url).then(
    (answer) => answer.status,
    () => 0,
  );

/** For `find`: any of these names. */
const named = (...names: string[]): string[] => ['(', ...names.flatMap((name) => ['-o', '-name', name]).slice(1), ')'];

/** Settings of a process in the image, but for its ports. */
const settings = () => ({
  NODE_ENV: 'production',
  DATABASE_URL: database.url,
  INLAY_VENUES: 'paper',
  INLAY_SECRET: randomBytes(32).toString('hex'),
});

describe('what the image has', () => {
  let folder = '';
  const started: Program[] = [];

  beforeAll(async () => {
    expect((await runProgram(process.execPath, ['bin/build.js', '--if-stale'], { cwd: projectRoot })).code).toBe(0);
    folder = copyAsInImage();
  }, 300_000);
  afterAll(async () => {
    for (const { child, ended } of started) {
      child.kill('SIGKILL');
      await ended;
    }
  });

  const inlay = (args: readonly string[], env: Readonly<Record<string, string>>): Program => {
    const command = [join(folder, 'bin', 'run.js'), ...args];
    const program = startProgram(process.execPath, command, {
      env: { HOME: join(folder, 'data'), ...env },
      cwd: folder,
    });
    started.push(program);
    return program;
  };

  test('is no second Node, no database server and no compiler', async () => {
    const { stdout } = await runProgram('find', [
      folder,
      ...named('node', 'postgres', 'initdb', 'tsc'),
      '!',
      '-type',
      'd',
    ]);
    expect(stdout).toBe('');
  });

  test('is enough for the API and the worker with its venue', async () => {
    const [port, metricsPort] = [await freePort(), await freePort()];
    const shared = { ...settings(), INLAY_DATA_DIR: join(folder, 'data') };
    const api = inlay(['serve'], { ...shared, PORT: String(port) });
    const worker = inlay(['worker'], { ...shared, INLAY_WORKER_METRICS_PORT: String(metricsPort) });
    const health = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => undefined);
      return ((await answer?.json()) as { status?: string } | undefined)?.status;
    };
    await until(health, (status) => status === 'ok', 90_000);
    for (const url of [`:${port}/docs`, `:${port}/openapi.json`, `:${metricsPort}/metrics`]) {
      expect([url, await statusAt(`http://127.0.0.1${url}`)]).toEqual([url, 200]);
    }
    for (const { child, ended } of [worker, api]) {
      child.kill('SIGTERM');
      expect((await ended).code).toBe(0);
    }
  }, 180_000);

  test('says what is missing if no database is configured', async () => {
    const { DATABASE_URL: _, ...without } = settings();
    const { code, stderr } = await inlay(['up'], { ...without, INLAY_DATA_DIR: join(folder, 'own') }).ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining('set DATABASE_URL')]);
  }, 60_000);
});

/** The folder of the image, with the packages that `npm prune` leaves there. */
function copyAsInImage(): string {
  const folder = temporaryFolder('image');
  const copy = (from: readonly string[], to: string) => {
    mkdirSync(to, { recursive: true });
    expect(spawnSync('cp', ['-a', ...from, to]).status).toBe(0);
  };
  const own = taken.filter((path) => path !== 'node_modules');
  copy(
    own.map((path) => join(projectRoot, path)),
    folder,
  );
  const pruned = /npm prune (.*)$/m.exec(containerfile)?.[1] ?? '';
  const [dev, optional] = [pruned.includes('--omit=dev'), pruned.includes('--omit=optional')];
  const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }>;
  };
  const isLeftOut = (path: string) => {
    const found = packages[path];
    return (dev && found?.dev) || (optional && found?.optional) || (dev && optional && found?.devOptional);
  };
  const installed = Object.keys(packages).filter((path) => existsSync(join(projectRoot, path)));
  const whole = installed.filter((path) => /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) && !isLeftOut(path));
  for (const [parent, paths] of Map.groupBy(whole, dirname)) {
    copy(
      paths.map((path) => join(projectRoot, path)),
      join(folder, parent),
    );
  }
  for (const path of installed.filter(isLeftOut)) {
    rmSync(join(folder, path), { recursive: true, force: true });
  }
  return folder;
}

describe.skipIf(!canBuild)('an image', () => {
  const tag = `localhost/inlay-test-${process.pid}`;
  let container = '';
  let root = '';
  let service: Program | undefined;

  const buildah = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runProgram('buildah', args, { cwd: projectRoot });
    expect(code, stderr.slice(-2000)).toBe(0);
    return stdout.trim();
  };

  beforeAll(async () => {
    const file = join('deploy', 'container', 'Containerfile');
    await buildah('build', '--pull-never', '--isolation', 'chroot', '-q', '-f', file, '-t', tag, '.');
    container = await buildah('from', '--pull-never', tag);
    root = await buildah('mount', container);
  }, 300_000);

  afterAll(async () => {
    service?.child.kill('SIGKILL');
    await service?.ended;
    if (container !== '') {
      await buildah('rm', container);
      await buildah('rmi', tag);
    }
  }, 60_000);

  test('is answered by the API, as user 10001 on a root that is read only', async () => {
    const { OCIv1 } = JSON.parse(await buildah('inspect', '--type', 'image', tag)) as {
      OCIv1: { config: { Env: string[]; Entrypoint: string[]; User: string; Cmd: string[] } };
    };
    const { Env, Entrypoint, User, Cmd } = OCIv1.config;
    expect([User, Cmd]).toEqual(['10001:10001', ['serve']]);
    const port = await freePort();
    const mounts = [
      `mount --bind ${root} ${root}`,
      `mount -o remount,ro,bind ${root}`,
      `mount --bind /proc ${root}/proc`,
      `mount --bind /dev ${root}/dev`,
      `mount -t tmpfs tmpfs ${root}/tmp`,
      `mount -t tmpfs -o uid=10001,gid=10001,mode=0700 tmpfs ${root}/data`,
    ];
    const script = `${mounts.join(' && ')} && exec chroot --userspec=10001:10001 ${root} "$@"`;
    const given = Object.entries(settings()).map(([name, value]) => `${name}=${value}`);
    const command = ['/usr/bin/env', '-i', ...Env, ...given, 'HOST=127.0.0.1', `PORT=${port}`, ...Entrypoint, ...Cmd];
    service = startProgram('unshare', ['--mount', 'bash', '-c', script, 'image', ...command]);
    await until(
      () => statusAt(`http://127.0.0.1:${port}/api/health`),
      (status) => status === 200,
      90_000,
    );
    for (const path of ['/docs', '/openapi.json']) {
      expect([path, await statusAt(`http://127.0.0.1:${port}${path}`)]).toEqual([path, 200]);
    }
    const { stdout } = await runProgram('find', [root, ...named('node', 'postgres', 'initdb'), '-type', 'f']);
    expect(stdout.trim().split('\n')).toEqual([join(root, 'usr/local/bin/node')]);
    service.child.kill('SIGTERM');
    expect((await service.ended).code).toBe(0);
  }, 120_000);
});
