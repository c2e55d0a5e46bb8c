/**
 * Under which account the embedded PostgreSQL runs, and what that account can reach. PostgreSQL refuses to run as root,
 * so root uses another account.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

const CANDIDATES = ['postgres', 'nobody'];

/**
 * @param clusterDir an existing cluster keeps the account that owns it
 * @returns null if this process is not root: PostgreSQL then runs under the same account
 */
export function chooseAccount(clusterDir?: string): Account | null {
  if (process.getuid?.() !== 0) {
    return null;
  }
  const owner = clusterDir === undefined ? undefined : statSync(clusterDir, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) {
    return { uid: owner.uid, gid: owner.gid };
  }
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of CANDIDATES) {
    const found = accounts.find((fields) => fields[0] === name);
    if (found !== undefined) {
      return { uid: Number(found[2]), gid: Number(found[3]) };
    }
  }
  throw new Error(
    'PostgreSQL refuses to run as root and there is no account "postgres" or "nobody". Set DATABASE_URL, or run as another user.',
  );
}

/**
 * Whether the account can enter `folder` and, if given, read and run `program`. The kernel decides; it is not computed
 * from modes.
 */
export function canReach(account: Account | null, folder: string, program?: string): boolean {
  const script = 'test -x "$1" && { test -z "$2" || { test -x "$2" && test -r "$2"; }; }';
  const asked = spawnSync('/bin/sh', ['-c', script, 'sh', folder, program ?? ''], { ...account, cwd: '/' });
  return asked.status === 0;
}
