/**
 * Makes the embedded cluster on first start: initdb, the four roles, the database. It gets its final name only when it
 * is complete.
 */
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EnvironmentError } from '../../core/environment.ts';
import type { Account, ClusterPaths } from './cluster-paths.ts';

export const OWNER_ROLE = 'inlay_owner';
export const SERVICE_ROLE = 'inlay_service';
export const ADMIN_ROLE = 'inlay_admin';
export const AUDIT_ROLE = 'inlay_auditor';
export const DATABASE = 'inlay';

const MAJOR = '18';

/** @param native the folder of the PostgreSQL programs */
export async function ensureCluster(paths: ClusterPaths, native: string): Promise<void> {
  const versionFile = join(paths.clusterDir, 'PG_VERSION');
  if (existsSync(versionFile)) {
    const major = readFileSync(versionFile, 'utf8').trim();
    if (major !== MAJOR) {
      throw new EnvironmentError(
        `INLAY_DATA_DIR: ${paths.clusterDir} was made by PostgreSQL ${major}, and this release contains ${MAJOR}; dump it with the older release, or name another folder`,
      );
    }
    return;
  }
  const unfinished = `${paths.clusterDir}.${process.pid}`;
  const passwordFile = `${unfinished}.password`;
  try {
    mkdirSync(unfinished, { mode: 0o700 });
    writeFileSync(passwordFile, paths.ownerPassword, { mode: 0o600 });
    if (paths.account !== null) {
      chownSync(unfinished, paths.account.uid, paths.account.gid);
      chownSync(passwordFile, paths.account.uid, paths.account.gid);
    }
    await run(paths.account, join(native, 'bin', 'initdb'), [
      ...['--pgdata', unfinished, '--username', OWNER_ROLE, '--pwfile', passwordFile],
      ...['--auth', 'scram-sha-256', '--locale', 'C', '--encoding', 'UTF8'],
    ]);
    await run(
      paths.account,
      join(native, 'bin', 'postgres'),
      ['--single', '-D', unfinished, 'postgres'],
      [
        `create role ${SERVICE_ROLE} login password '${paths.servicePassword}'`,
        `create role ${ADMIN_ROLE} login password '${paths.adminPassword}'`,
        `create role ${AUDIT_ROLE} login password '${paths.auditPassword}'`,
        `create database ${DATABASE} owner ${OWNER_ROLE}`,
        '',
      ].join('\n'),
    );
    try {
      renameSync(unfinished, paths.clusterDir);
    } catch (error) {
      if (!existsSync(versionFile)) {
        throw error;
      }
    }
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
    rmSync(passwordFile, { force: true });
  }
  chmodSync(paths.clusterDir, 0o700);
}

/**
 * The environment of a PostgreSQL program. It contains nothing of ours, so that no PG* variable or locale of the caller
 * has an effect.
 */
export const PROGRAM_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

function run(account: Account | null, program: string, args: string[], input = ''): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...account, cwd: '/', env: PROGRAM_ENVIRONMENT, stdio: 'pipe' });
    const output: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) {
        resolve();
      } else {
        reject(new Error(`${program} failed (${code}): ${Buffer.concat(output).toString('utf8').slice(-2000)}`));
      }
    });
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
