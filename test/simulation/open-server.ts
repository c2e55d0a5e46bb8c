/** A PostgreSQL for simulated worlds alone, in memory where there is room: making and dropping databases is what disks are slow at. */
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDatabase } from '../../src/db/embedded/embedded.ts';

export interface SimulationServer {
  readonly ownerUrl: string;
  readonly serviceUrl: string;
  close(): Promise<void>;
}

const MEMORY = '/dev/shm';
const NEEDED_BYTES = 3 * 1024 ** 3;

export async function openServer(): Promise<SimulationServer> {
  const dataDir = mkdtempSync(join(folder(), 'inlay-simulation-'));
  chmodSync(dataDir, 0o711);
  const database = await startDatabase(dataDir, { durable: false, maxConnections: 100 });
  return {
    ownerUrl: database.ownerUrl,
    serviceUrl: database.url,
    close: async () => {
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function folder(): string {
  if (!existsSync(MEMORY)) {
    return tmpdir();
  }
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > NEEDED_BYTES ? MEMORY : tmpdir();
}
