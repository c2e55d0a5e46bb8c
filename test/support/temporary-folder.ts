/** A new folder for a test, which is removed with all others at the end of the run. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

export function temporaryFolder(name: string): string {
  return mkdtempSync(join(inject('temporaryFolders'), `${name}-`));
}
