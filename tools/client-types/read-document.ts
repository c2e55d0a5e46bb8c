/** The OpenAPI documents of this source, without a service: routes are registered over a database and a board that are never called. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiContext, openContext } from '../../src/context.ts';
import { readEnvironment } from '../../src/core/environment.ts';
import { openRateCounters } from '../../src/operators/rate-counters.ts';
import { buildApp } from '../../src/server/app.ts';
import { type ApiDocuments, makeDocuments } from '../../src/server/openapi/openapi.ts';

const NOWHERE = 'postgres://nobody@127.0.0.1:9/none';

export async function readDocuments(): Promise<ApiDocuments> {
  const dataDir = mkdtempSync(join(tmpdir(), 'inlay-document-'));
  const environment = readEnvironment({ DATABASE_URL: NOWHERE, INLAY_DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
  const context = openContext(environment, NOWHERE, 'cli');
  // the price stream subscribes while its route is registered; no other part uses the board before a request
  const board = { onChange: () => () => {} };
  const counters = openRateCounters(context.sql, context.log);
  try {
    const app = await buildApp({ ...context, board, counters } as unknown as ApiContext);
    await app.ready();
    const documents = makeDocuments(app, environment);
    await app.close();
    return documents;
  } finally {
    await context.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
