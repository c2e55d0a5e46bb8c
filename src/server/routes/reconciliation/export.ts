/** GET /api/v1/reconciliation/export: an addition to the partner interface; any number of rows as a stream. */
import { z } from 'zod';
import { createFairQueue } from '../../../core/fair-queue.ts';
import { endForgotten, openExport } from '../../../reconciliation/exports/open-export.ts';
import { exportQuery, formatColumns } from '../../../wire/reconciliation.ts';
import type { Routes } from '../../http/api.ts';
import { leaveWith } from '../../http/waiting.ts';

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  json: 'application/json; charset=utf-8',
} as const;

/** One keeps a connection for as long as its reader takes, so nobody waits for it. */
const EXPORTS = { places: 4, placesOfHolder: 1, waitingOfHolder: 0, lateMs: 0 };

export const exportRoutes: Routes = (app, { databaseUrl }) => {
  const enter = createFairQueue(EXPORTS);
  app.route({
    method: 'GET',
    url: '/api/v1/reconciliation/export',
    config: { auth: 'key', scopes: ['ledger:read'], refuses: ['invalid_date'] },
    schema: {
      tags: ['Reconciliation'],
      operationId: 'exportReconciliation',
      summary: 'Export a register',
      description:
        'An addition to the contract. A whole register as CSV, JSON lines or JSON.\n\nStreams. The header `x-export` contains the exact window, the number of rows and their totals as JSON, `x-export-to` the end of the window alone, and `x-export-columns` the columns and their types; a body with fewer rows is incomplete. An operator has one export at a time, an aggregator one with its children (503 `service_unavailable` with `Retry-After`); one whose reader takes nothing for 30 s, or that runs for 30 min, is aborted.',
      querystring: exportQuery,
      response: {
        200: {
          description: 'The rows in the requested format',
          content: {
            'text/csv': { schema: z.string() },
            'application/x-ndjson': { schema: z.string() },
            // one field, named after the kind
            'application/json': { schema: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))) },
          },
        },
      },
    },
    handler: async ({ caller, query, leaveQueue }, reply) => {
      leaveQueue();
      leaveWith(reply, await enter(caller.holderId));
      const { summary, columns, body, takenBytes } = await openExport(databaseUrl, caller.operator.operatorId, query);
      endForgotten(body, takenBytes);
      return (
        reply
          .header('content-type', TYPES[query.format])
          .header('x-export', JSON.stringify(summary))
          .header('x-export-to', summary.to)
          .header('x-export-columns', formatColumns(columns))
          .header('cache-control', 'no-store')
          // the types of a described response do not include streams
          .send(body as never)
      );
    },
  });
};
