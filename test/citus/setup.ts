/** The lab of `npm run citus`: one coordinator and two workers, with a migrated database that every test file clones on all of them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ADMIN_ROLE, AUDIT_ROLE, OWNER_ROLE } from '../../src/db/embedded/cluster.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { findCitus, openLab, type Place } from './lab.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The servers of the lab, the coordinator first. */
    places: Place[];
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const lab = await openLab(findCitus(process.env['CITUS_PG_CONFIG']), 2);
  try {
    await migrate(lab.url(OWNER_ROLE));
    await lab.closeTemplate();
  } catch (error) {
    await lab.close();
    throw error;
  }
  const folders = mkdtempSync(join(tmpdir(), 'inlay-citus-files-'));
  project.provide('temporaryFolders', folders);
  project.provide('templateUrl', lab.url(OWNER_ROLE));
  project.provide('templateServiceUrl', lab.url());
  project.provide('templateAdminUrl', lab.url(ADMIN_ROLE));
  project.provide('templateAuditUrl', lab.url(AUDIT_ROLE));
  project.provide(
    'servers',
    [lab.coordinator, ...lab.workers].map(({ port }) => `postgres://postgres@127.0.0.1:${port}/postgres`),
  );
  project.provide(
    'places',
    [lab.coordinator, ...lab.workers].map(({ port, data }) => ({ port, data })),
  );
  return async () => {
    await lab.close();
    rmSync(folders, { recursive: true, force: true });
  };
}
