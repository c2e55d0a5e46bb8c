/** The SQL functions by name, for tests that say something of each. */
import { readFileSync } from 'node:fs';
import { functionFiles } from '../../src/db/schema/apply-functions.ts';

/** @returns the text of each function, without its comments, by name; overloads are joined */
export function sqlFunctions(files: readonly string[] = functionFiles()): Map<string, string> {
  const texts = new Map<string, string>();
  for (const file of files) {
    const [, ...parts] = readFileSync(file, 'utf8')
      .replaceAll(/--.*$/gm, '')
      .split(/^create (?:or replace )?(?:function|procedure|aggregate) /m);
    for (const part of parts) {
      const [name = ''] = /^\w+/.exec(part) ?? [];
      texts.set(name, `${texts.get(name) ?? ''}${part}`);
    }
  }
  return texts;
}
