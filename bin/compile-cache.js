/**
 * Where Node keeps compiled code: a folder of this user, or nowhere. Node trusts what it finds there, and its default is below the
 * temporary folder, where whoever comes first owns it. Plain JavaScript for any Node from 16 on.
 */
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

const WRITABLE_BY_OTHERS = 0o022;
/** In such a folder, as in /tmp, nobody removes or renames what belongs to somebody else. */
const STICKY = 0o1000;

/** For this process and its children. A folder that the user names in NODE_COMPILE_CACHE is used already. */
export function keepCompiledCode() {
  if (process.env.NODE_COMPILE_CACHE) {
    return;
  }
  const folder = ownFolder();
  if (folder === undefined) {
    // also for programs that would turn it on themselves
    process.env.NODE_DISABLE_COMPILE_CACHE = '1';
    return;
  }
  module.enableCompileCache?.(folder);
  process.env.NODE_COMPILE_CACHE = folder;
}

/** The folder, made if necessary; undefined if anybody else could write into it or exchange it. */
function ownFolder() {
  const user = process.geteuid?.();
  if (user === undefined) {
    return undefined;
  }
  try {
    const { XDG_CACHE_HOME: named } = process.env;
    const parent = named && isAbsolute(named) ? named : join(homedir(), '.cache');
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    const caches = realpathSync(parent);
    if (!isHeldBy(user, caches)) {
      return undefined;
    }
    const folder = join(caches, 'inlay');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    const isOurs = found.isDirectory() && found.uid === user && (found.mode & WRITABLE_BY_OTHERS) === 0;
    return isOurs ? folder : undefined;
  } catch {
    // a read-only disk, or no home: the code is compiled each time
    return undefined;
  }
}

/** Whether only this user and root can exchange what is in a folder, and the folder itself. */
function isHeldBy(user, folder) {
  const { uid, mode } = lstatSync(folder);
  const isSafe = (uid === user || uid === 0) && ((mode & WRITABLE_BY_OTHERS) === 0 || (mode & STICKY) !== 0);
  return isSafe && (folder === dirname(folder) || isHeldBy(user, dirname(folder)));
}
