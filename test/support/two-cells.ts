/** Two cells on this machine, each with a database and an API of its own, and the file that lists them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeCell } from '../../src/operations/cells/cells-file.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { startTestService, type TestService } from './service.ts';

export interface TestCell {
  readonly name: string;
  readonly database: TestDatabase;
  readonly service: TestService;
}

export interface TwoCells {
  readonly east: TestCell;
  readonly west: TestCell;
  readonly folder: string;
  /** INLAY_CELLS_FILE. */
  readonly cellsFile: string;
  close(): Promise<void>;
}

/** @param settings of each cell, by its name */
export async function startTwoCells(
  settings: (cell: string) => Readonly<Record<string, string>> = () => ({}),
): Promise<TwoCells> {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-cells-'));
  const cellsFile = join(folder, 'cells.json');
  const start = async (name: string): Promise<TestCell> => {
    const database = await createTestDatabase();
    const service = await startTestService({
      database,
      environment: { INLAY_VENUES: '', INLAY_CELL: name, ...settings(name) },
    });
    writeFileSync(join(folder, `${name}.url`), database.url, { mode: 0o600 });
    writeFileSync(join(folder, `${name}-owner.url`), `${database.ownerUrl}\n`, { mode: 0o600 });
    writeCell(cellsFile, {
      name,
      servers: [new URL(service.url).host],
      databaseUrlFile: `${name}.url`,
      ownerUrlFile: `${name}-owner.url`,
    });
    return { name, database, service };
  };
  const east = await start('east');
  const west = await start('west');
  return {
    east,
    west,
    folder,
    cellsFile,
    close: async () => {
      for (const { service, database } of [east, west]) {
        await service.close();
        await database.close();
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
