/** The package of the typed client, written where a partner's package manager would put it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { clientPackage } from '../../tools/downloads/client-package.ts';

/** @param folder of the package itself, such as `node_modules/inlay`. It needs a build, since the declarations are the compiler's. */
export async function writeClientPackage(folder: string): Promise<void> {
  for (const [name, content] of await clientPackage('0.0.0')) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}
