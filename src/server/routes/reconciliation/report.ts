/** GET /api/v1/reconciliation (contract chapter 22). */
import { createReportQueue } from '../../../reconciliation/report/report-queue.ts';
import { readFrom } from '../../../reconciliation/report/run-report.ts';
import { report, reportQuery } from '../../../wire/reconciliation/report.ts';
import type { Routes } from '../../http/api.ts';

export const reconciliationRoutes: Routes = (app, { reportsOf }) => {
  const ask = createReportQueue(reportsOf);
  app.route({
    method: 'GET',
    url: '/api/v1/reconciliation',
    config: { auth: 'key', scopes: ['ledger:read'], refuses: ['invalid_date'] },
    schema: {
      tags: ['Reconciliation'],
      operationId: 'getReconciliationReport',
      summary: 'Get the report',
      description:
        'The trial balance, the statements, and the findings of every check.\n\nEqual requests share one run, and an operator has one run at a time; a report that cannot start within 10 s is 503 `service_unavailable` with `Retry-After`.',
      querystring: reportQuery,
      response: { 200: report },
    },
    handler: ({ caller, query }) => ask(caller.operator.operatorId, readFrom(query.from)),
  });
};
