/** GET /api/v1/reconciliation/export: an addition of ours beside the contract; rows of any number as a stream. */
import { z } from 'zod';
import { refuse } from '../../core/errors.ts';
import { openExport } from '../../reconciliation/open-export.ts';
import { exportQuery } from '../../wire/export.ts';
import type { Routes } from '../api.ts';

/** Each holds a connection of its own for as long as its reader takes. */
const AT_ONCE = 4;

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  json: 'application/json; charset=utf-8',
} as const;

export const exportRoutes: Routes = (app, { databaseUrl }) => {
  let open = 0;
  app.route({
    method: 'GET',
    url: '/api/v1/reconciliation/export',
    config: { auth: 'key', scopes: ['ledger:read'] },
    schema: {
      tags: ['Reconciliation'],
      operationId: 'exportReconciliation',
      summary: 'An addition to the contract: whole registers as CSV, JSON lines or JSON',
      description:
        'Streams. The header `x-export` carries the window as it was taken, the number of rows and their totals as JSON; a body with fewer rows broke off.',
      querystring: exportQuery,
      response: {
        200: {
          description: 'The rows, in the form asked for',
          content: {
            'text/csv': { schema: z.string() },
            'application/x-ndjson': { schema: z.string() },
            'application/json': { schema: z.array(z.record(z.string(), z.unknown())) },
          },
        },
      },
    },
    handler: async ({ caller, query }, reply) => {
      if (open >= AT_ONCE) {
        throw refuse('service_unavailable', 'Enough exports are running; try again shortly.');
      }
      open += 1;
      try {
        const { summary, body } = await openExport(databaseUrl, caller.operator.operatorId, query);
        body.once('close', () => {
          open -= 1;
        });
        return (
          reply
            .header('content-type', TYPES[query.format])
            .header('x-export', JSON.stringify(summary))
            .header('cache-control', 'no-store')
            // the types of a described answer know no streams
            .send(body as never)
        );
      } catch (error) {
        open -= 1;
        throw error;
      }
    },
  });
};
