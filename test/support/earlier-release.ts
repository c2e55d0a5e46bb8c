/**
 * The release before the newest migration, as its own code from the history of this repository: its processes run beside those of
 * today. Without history (a shallow clone, a tarball) there is none.
 */
import { type ChildProcess, execFileSync, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../src/core/environment.ts';

export interface EarlierRelease {
  readonly commit: string;
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
const ARCHIVE_BYTES = 256 * 1024 * 1024;

/** @returns undefined, with a line on stderr, if the repository has no history or the release cannot run here */
export function openEarlierRelease(): EarlierRelease | undefined {
  const newest = readdirSync(join(projectRoot, 'sql', 'migrations'))
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .at(-1);
  const added = git('log', '--diff-filter=A', '--format=%H', '-1', '--', `sql/migrations/${newest}`);
  const commit = added === '' ? '' : git('rev-parse', '--verify', '--quiet', `${added}^`);
  if (commit === '') {
    process.stderr.write('no history of the repository: the test of two releases side by side is skipped\n');
    return undefined;
  }
  const missing = missingPackages(commit);
  if (missing.length > 0) {
    process.stderr.write(
      `two releases side by side are not tested: the one before needs ${missing.join(', ')}, no longer installed here\n`,
    );
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'inlay-earlier-'));
  const archive = execFileSync('git', ['-C', projectRoot, 'archive', commit, ...PARTS], { maxBuffer: ARCHIVE_BYTES });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  return {
    commit,
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

/** Its processes run with the packages of this release: those that it needs and that were removed since. */
function missingPackages(commit: string): string[] {
  const { dependencies = {} } = JSON.parse(git('show', `${commit}:package.json`)) as {
    dependencies?: Record<string, string>;
  };
  return Object.keys(dependencies).filter((name) => !existsSync(join(projectRoot, 'node_modules', name)));
}

function git(...args: string[]): string {
  const { status, stdout } = spawnSync('git', ['-C', projectRoot, ...args], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
}
