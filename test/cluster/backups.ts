/** Backup of a cluster of several servers while it trades, and what makes another cluster of it: the scripts of deploy/citus. */
import { execFile } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../src/core/environment.ts';
import { chooseAccount } from '../../src/db/embedded/cluster-paths.ts';
import type { Cluster } from './cluster.ts';
import type { Programs } from './programs.ts';

export interface Backups {
  readonly folder: string;
  /** The `archive_command` of a group. */
  archive(group: number): string;
  /** A verified copy of the leader of each group. */
  copy(cluster: Cluster): Promise<void>;
  /** @returns the name of a restore point on all servers, which the archive has when it is used */
  mark(cluster: Cluster): Promise<string>;
  /** A command line that makes a data folder out of the copy of a group and its archive. */
  restore(point: string, group: number, data: string): string;
  close(): void;
}

/** @param groups how many */
export function openBackups(programs: Programs, groups: number): Backups {
  const account = chooseAccount();
  const folder = mkdtempSync(join(tmpdir(), 'inlay-ha-backups-'));
  chmodSync(folder, 0o755);
  for (const name of ['backup', 'citus']) {
    cpSync(join(projectRoot, 'deploy', name), join(folder, name), { recursive: true });
  }
  const log = (group: number) => join(folder, `wal-${group}`);
  const base = join(folder, 'base');
  for (const path of [base, ...Array.from({ length: groups }, (_, group) => log(group))]) {
    mkdirSync(path, { mode: 0o700 });
    if (account !== null) {
      chownSync(path, account.uid, account.gid);
    }
  }
  const run = async (script: string, ...args: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(join(folder, 'citus', script), args, {
      ...account,
      cwd: '/',
      env: programs.environment,
    });
    return stdout.trim();
  };
  return {
    folder,
    archive: (group) => `${join(folder, 'backup', 'archive-wal.sh')} "%p" "%f" ${log(group)}`,
    copy: async (cluster) => {
      const urls = await Promise.all(
        cluster.groups.map(async (group) => group.addressOf((await group.leader()) ?? '', 'replicator', 'inlay')),
      );
      await run('base-backup.sh', base, ...urls);
    },
    mark: (cluster) => run('restore-point.sh', cluster.address('postgres', 'inlay')),
    restore: (point, group, data) => {
      const copies = join(base, String(group));
      const copy = join(copies, readdirSync(copies).sort().at(-1) ?? '');
      return [join(folder, 'citus', 'restore.sh'), copy, log(group), data, point].join(' ');
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
