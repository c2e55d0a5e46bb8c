/**
 * The folder in which Node keeps compiled code: that of this package, or none. Node trusts the content of that folder, so only those who
 * can change the code itself may write there. Its default is below the temporary folder, which belongs to the first user that creates it.
 * Plain JavaScript for any Node from 16 on.
 */
import { mkdirSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules', '.cache', 'inlay');

/** For this process and its children. A folder that the user names in NODE_COMPILE_CACHE is used already. */
export function keepCompiledCode() {
  if (process.env.NODE_COMPILE_CACHE) {
    return;
  }
  if (canKeep()) {
    process.env.NODE_COMPILE_CACHE = folder;
  } else {
    // also for programs that would turn it on themselves
    process.env.NODE_DISABLE_COMPILE_CACHE = '1';
  }
}

function canKeep() {
  try {
    // Node would make it with the rights that the umask leaves
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return module.enableCompileCache?.(folder).directory !== undefined;
  } catch {
    // the package belongs to another user, or the disk is read-only: the code is compiled each time
    return false;
  }
}
