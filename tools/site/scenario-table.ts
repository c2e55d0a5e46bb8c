/** The ready scenario files as a table for the guide to scenarios: what each one shows, and the error codes that it expects. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../../src/core/environment.ts';
import { ERRORS } from '../../src/core/errors.ts';

const FOLDER = join(projectRoot, 'fixtures', 'scenarios');
const EXPECTED_CODE = /\b(?:error|code): ([a-z_]+)/g;

interface ScenarioScript {
  /** Path below the folder, without its ending. */
  readonly script: string;
  readonly name: string;
  readonly codes: readonly string[];
}

/** Those that need only a key come first. */
export function scenarioScripts(): ScenarioScript[] {
  return ['', 'operator/', 'live/'].flatMap((folder) =>
    readdirSync(join(FOLDER, folder))
      .filter((file) => file.endsWith('.yaml'))
      .toSorted()
      .map((file) => {
        const text = readFileSync(join(FOLDER, folder, file), 'utf8');
        const { name } = parse(text) as { readonly name: string };
        const codes = [...text.matchAll(EXPECTED_CODE)].map(([, code = '']) => code).filter((code) => code in ERRORS);
        return { script: `${folder}${file.replace(/\.yaml$/, '')}`, name, codes: [...new Set(codes)].toSorted() };
      }),
  );
}

export function scenarioTable(): string {
  const rows = scenarioScripts().map(
    ({ script, name, codes }) => `| \`${script}\` | ${name} | ${codes.map((code) => `\`${code}\``).join(', ')} |`,
  );
  return ['| file | shows | error codes |', '|---|---|---|', ...rows].join('\n');
}
