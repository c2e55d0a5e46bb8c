/** GET /api/v1/reconciliation (contract chapter 22). */
import { createFairQueue } from '../../../core/fair-queue.ts';
import { readFrom, runWalledReport } from '../../../reconciliation/report.ts';
import { type Report, report, reportQuery } from '../../../wire/reconciliation.ts';
import type { Routes } from '../../http/api.ts';

/** One keeps a connection and a processor of the database busy. */
const REPORTS = { places: 2, placesOfHolder: 1, waitingOfHolder: 4, lateMs: 10_000 };

export const reconciliationRoutes: Routes = (app, { reportsOf, audit }) => {
  const enter = createFairQueue(REPORTS);
  const running = new Map<string, Promise<Report>>();

  async function run(holderId: string, operatorId: string, from: Date): Promise<Report> {
    const leave = await enter(holderId);
    try {
      return await runWalledReport(reportsOf, audit, operatorId, from);
    } finally {
      leave();
    }
  }

  app.route({
    method: 'GET',
    url: '/api/v1/reconciliation',
    config: { auth: 'key', scopes: ['ledger:read'], refuses: ['invalid_date'] },
    schema: {
      tags: ['Reconciliation'],
      operationId: 'getReconciliationReport',
      summary: 'Get the report',
      description:
        'The trial balance, the statements, and the findings of every check.\n\nEqual requests share one run, and an operator has one run at a time, an aggregator one with its children; a report that cannot start within 10 s is 503 `service_unavailable` with `Retry-After`.',
      querystring: reportQuery,
      response: { 200: report },
    },
    handler: ({ caller, query, leaveQueue }) => {
      leaveQueue();
      const { holderId, operator } = caller;
      const from = readFrom(query.from);
      const key = `${operator.operatorId} ${from.getTime()}`;
      const shared = running.get(key) ?? run(holderId, operator.operatorId, from).finally(() => running.delete(key));
      running.set(key, shared);
      return shared;
    },
  });
};
