/** What a partner can download from `/docs/downloads`. It is made with the site, so it fits the version of the service that serves it. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { projectRoot } from '../../src/core/environment.ts';
import type { Command } from '../site/cli.ts';
import { type Files, packArchive } from './archive.ts';
import { cliPackage } from './cli-package.ts';
import { clientPackage } from './client-package.ts';

/** Name of the file with the sums of all others, as `sha256sum --check` reads it. */
export const SUMS = 'SHA256SUMS.txt';

export interface Download {
  readonly name: string;
  /** One sentence, Markdown. */
  readonly about: string;
  readonly content: Buffer;
  /** Lower-case hex. */
  readonly sha256: string;
  /** What an archive holds beside its README: files, or commands. */
  readonly contents: readonly string[];
}

export async function makeDownloads(): Promise<readonly Download[]> {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  const fixture = (...path: string[]) => join(projectRoot, 'fixtures', ...path);
  const cli = await cliPackage(version);
  const client = await clientPackage(version);
  const operator = readFiles(fixture('operator-python'), /\.(?:py|md)$/);
  const scenarios = readFiles(fixture('scenarios'), /\.(?:yaml|json)$/);
  const archive = (name: string, ending: string, about: string, files: Files, folder = name) =>
    download(`${name}-${version}.${ending}`, about, packArchive(files, folder), namesOf(files));
  return [
    download(
      'inlay.py',
      'The client for Python 3.9 and newer: one file that needs only the standard library.',
      readFileSync(fixture('operator-python', 'inlay.py')),
    ),
    archive(
      'inlay-client',
      'tgz',
      'The [typed client](/docs/guides/client) for Node 22.18 and newer: the module `inlay/client` with its types, without dependencies.',
      client,
      'package',
    ),
    {
      ...archive(
        'inlay-cli',
        'tgz',
        'The [command line](/docs/cli/start) for Node 22.18 and newer: every command that needs only your key, without dependencies.',
        cli,
        'package',
      ),
      contents: commandsOf(cli),
    },
    archive(
      'inlay-operator-python',
      'tar.gz',
      'An example operator, written in Python, with its own ledger in an SQLite file.',
      operator,
    ),
    archive(
      'inlay-scenarios',
      'tar.gz',
      'The [scenario files](/docs/guides/sandbox-scenarios). Those in `live` and `operator` need the database of the service.',
      scenarios,
    ),
    download(
      'verify.py',
      'Verifies a feed that you stored against a signed checkpoint, without the service.',
      readFileSync(join(projectRoot, 'tools', 'verify', 'verify.py')),
    ),
  ];
}

/** @returns the text of the file `SUMS` */
export function sumsOf(downloads: readonly Download[]): string {
  return downloads.map(({ sha256, name }) => `${sha256}  ${name}\n`).join('');
}

function download(name: string, about: string, content: Buffer, contents: readonly string[] = []): Download {
  return { name, about, content, sha256: createHash('sha256').update(content).digest('hex'), contents };
}

function readFiles(folder: string, names: RegExp): Files {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && names.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.map((path) => [relative(folder, path).replaceAll(sep, '/'), readFileSync(path)]));
}

function namesOf(files: Files): string[] {
  return [...files.keys()].filter((name) => name !== 'README.md').toSorted();
}

function commandsOf(cli: Files): string[] {
  const { commands } = JSON.parse(String(cli.get('oclif.manifest.json')));
  return Object.values<Command>(commands)
    .filter(({ hidden }) => hidden !== true)
    .map(({ id }) => `inlay ${id.replaceAll(':', ' ')}`)
    .toSorted();
}
