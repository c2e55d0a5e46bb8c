/** The paper venue as processes of a test, which ends them all. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '../../src/core/environment.ts';
import { SECRETS } from './support.ts';

export interface VenueProcesses {
  /**
   * @param dataDir its journal; processes that share it are on one host
   * @param stderr 'pipe' if the test reads it
   */
  start(databaseUrl: string, dataDir: string, stderr?: 'inherit' | 'pipe'): ChildProcess;
  killAll(): void;
}

export function createVenueProcesses(): VenueProcesses {
  const children: ChildProcess[] = [];
  return {
    start(databaseUrl, dataDir, stderr = 'inherit') {
      const child = spawn(process.execPath, [join(projectRoot, 'src/paper/main.ts'), 'paper'], {
        stdio: ['ignore', 'ignore', stderr, 'ipc'],
        env: {
          ...process.env,
          DATABASE_URL: databaseUrl,
          INLAY_DATA_DIR: dataDir,
          INLAY_SECRET: SECRETS.current,
          LOG_LEVEL: 'error',
        },
      });
      children.push(child);
      return child;
    },
    killAll() {
      for (const child of children) {
        child.kill('SIGKILL');
      }
    },
  };
}
