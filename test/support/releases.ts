/**
 * Two releases that run side by side, as during a roll-out: this one, and a later one, which is a copy of it with a migration and a
 * changed function. A test can change more of the copy.
 */
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../src/core/environment.ts';

export interface LaterRelease {
  /** Brings the database to the schema of that release, by its own code. */
  migrate(ownerUrl: string): void;
  startApi(environment: Readonly<Record<string, string>>): Promise<ReleaseProcess>;
  startWorker(environment: Readonly<Record<string, string>>): Promise<ReleaseProcess>;
  close(): void;
}

export interface ReleaseProcess {
  /** Empty for a worker. */
  readonly url: string;
  readonly process: ChildProcess;
  close(): Promise<void>;
}

const PARTS = ['src', 'sql', 'bench', 'bin', 'fixtures', 'test/support', 'package.json'];

/**
 * @param migration the text of its migration
 * @param changedFunction a file of sql/functions that gets another comment, so that all functions are applied again
 */
export function openLaterRelease(migration: string, changedFunction: string): LaterRelease {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-later-'));
  for (const part of PARTS) {
    cpSync(join(projectRoot, part), join(folder, part), { recursive: true });
  }
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'sql/migrations'), { recursive: true });
  writeFileSync(join(folder, 'sql/migrations/9001_later.sql'), migration);
  appendFileSync(join(folder, 'sql/functions', changedFunction), '-- changed by a later release\n');
  return {
    migrate: (ownerUrl) => {
      const text = `const { migrate } = await import(${JSON.stringify(join(folder, 'src/db/schema/migrate.ts'))});
        await migrate(${JSON.stringify(ownerUrl)});`;
      execFileSync(process.execPath, ['--input-type=module', '-e', text], { cwd: folder });
    },
    startApi: (environment) => startRelease(join(folder, 'bench', 'api-process.ts'), environment),
    startWorker: (environment) => startRelease(join(folder, 'bench', 'worker-process.ts'), environment),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Processes of this release, started in the same way. */
export function startCurrent(
  which: 'api' | 'worker',
  environment: Readonly<Record<string, string>>,
): Promise<ReleaseProcess> {
  return startRelease(join(projectRoot, 'bench', `${which}-process.ts`), environment);
}

async function startRelease(script: string, environment: Readonly<Record<string, string>>): Promise<ReleaseProcess> {
  const child = fork(script, { execArgv: [], env: environment, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  const failed = exited.then(([code]): never => {
    throw new Error(`${script} ended with ${code}`);
  });
  failed.catch(() => {});
  const [first] = (await Promise.race([once(child, 'message'), failed])) as [{ url?: string }];
  return {
    url: first.url ?? '',
    process: child,
    close: async () => {
      if (child.connected) {
        child.send('close');
      }
      await exited;
    },
  };
}
