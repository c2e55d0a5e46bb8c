/**
 * The image is built from the Containerfile and runs as it is to be run: as user 10001, on a root that is read only. Needs root, buildah and a copy of the base image on this machine; elsewhere only the texts are checked.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { freePort } from '../support/free-port.ts';
import { type Program, runProgram, startProgram } from '../support/process.ts';
import { until } from '../support/until.ts';

const containerfile = readFileSync(join(projectRoot, 'deploy', 'container', 'Containerfile'), 'utf8');
const base = /^FROM (\S+) AS build$/m.exec(containerfile)?.[1] ?? '';
const canBuild =
  process.getuid?.() === 0 &&
  spawnSync('buildah', ['inspect', '--type', 'image', base], { stdio: 'ignore' }).status === 0;

test('nothing that the image takes from the build is left out of the build', () => {
  const ignored = readFileSync(join(projectRoot, '.dockerignore'), 'utf8').split('\n');
  const built = ['node_modules', 'dist'];
  const taken = [...containerfile.matchAll(/^COPY --from=build .*?((?:\/build\/\S+ )+)/gm)].flatMap(([, paths = '']) =>
    paths
      .trim()
      .split(' ')
      .map((path) => path.replace('/build/', '')),
  );
  expect(taken.length).toBeGreaterThan(5);
  expect(taken.filter((path) => ignored.includes(path) && !built.includes(path))).toEqual([]);
  // secrets of the compose file lie in the folder that is sent to the build
  expect(ignored).toContain('deploy/container/secrets');
});

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

  test('is answered by the whole service, as user 10001 on a root that is read only', async () => {
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
    const settings = [
      ...Env,
      'HOST=127.0.0.1',
      `PORT=${port}`,
      'INLAY_VENUES=paper',
      `INLAY_SECRET=${randomBytes(32).toString('hex')}`,
    ];
    const command = ['/usr/bin/env', '-i', ...settings, ...Entrypoint, 'up'];
    service = startProgram('unshare', ['--mount', 'bash', '-c', script, 'image', ...command]);
    await until(
      async () =>
        expect(
          await fetch(`http://127.0.0.1:${port}/api/health`).then(
            (answer) => answer.status,
            () => 0,
          ),
        ).toBe(200),
      90_000,
    );
    for (const path of ['/docs', '/openapi.json']) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      expect([path, answer.status]).toEqual([path, 200]);
    }
    service.child.kill('SIGTERM');
    expect((await service.ended).code).toBe(0);
  }, 120_000);
});
