/** Where the embedded cluster of a data folder is, and its passwords. Decided once and written into the folder. */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, canReach, chooseAccount } from './run-as-account.ts';

export interface ClusterPaths {
  /** The folder with the cluster and its log. Usually inside the data folder; elsewhere if PostgreSQL's account cannot enter that. */
  readonly location: string;
  readonly clusterDir: string;
  readonly log: string;
  readonly account: Account | null;
  readonly ownerPassword: string;
  readonly servicePassword: string;
  readonly adminPassword: string;
  readonly auditPassword: string;
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
