/** Puts HAProxy's files into a folder; each is replaced whole, so a reload never reads half of one. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BalancerFiles } from './balancer-files.ts';

/** @returns the paths that were written */
export function writeBalancerFiles(folder: string, files: BalancerFiles): string[] {
  mkdirSync(folder, { recursive: true });
  return Object.entries(files).map(([name, text]) => {
    const path = join(folder, name);
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
    return path;
  });
}
