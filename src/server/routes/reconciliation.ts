/** GET /api/v1/reconciliation (specification "Settlement and reconciliation"). */
import { readFrom, runReport } from '../../reconciliation/run-report.ts';
import { report, reportQuery } from '../../wire/report.ts';
import type { Routes } from '../api.ts';

export const reconciliationRoutes: Routes = (app, { sql }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/reconciliation',
    config: { auth: 'key', scopes: ['ledger:read'] },
    schema: {
      tags: ['Reconciliation'],
      operationId: 'getReconciliationReport',
      summary: 'Trial balance, statements and the findings of every check',
      querystring: reportQuery,
      response: { 200: report },
    },
    handler: ({ caller, query }) => runReport(sql, caller.operator.operatorId, readFrom(query.from)),
  });
};
