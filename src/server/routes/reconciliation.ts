/**
 * The books for an operator: the report (contract chapter 22), settlements (chapter 16), the feed (chapter 21), collateral
 * and exports.
 */
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { createFairQueue } from '../../core/fair-queue.ts';
import { readCollateralStatement } from '../../ledger/collateral.ts';
import { readFeed } from '../../ledger/read-feed.ts';
import { awaitAuditor } from '../../reconciliation/await-auditor.ts';
import { endForgotten, openExport } from '../../reconciliation/exports/open-export.ts';
import { readFrom, runWalledReport } from '../../reconciliation/report.ts';
import { pageSettledPositions, pageSettlements } from '../../settlement/settlements.ts';
import { feedPage, feedQuery } from '../../wire/feed.ts';
import {
  collateral,
  collateralQuery,
  exportQuery,
  formatColumns,
  type Report,
  report,
  reportQuery,
  settledPositionsPage,
  settledPositionsQuery,
  settlementListQuery,
  settlementPage,
} from '../../wire/reconciliation.ts';
import type { Routes } from '../http/api.ts';
import { leaveWith } from '../http/auth.ts';
import { sendJson } from '../ready.ts';

const tags = ['Reconciliation'];
/** Each holder begins one report at a time. Many may wait for the auditor, which keeps nothing busy here. */
const BEGUN = { places: 64, placesOfHolder: 1, waitingOfHolder: 4, lateMs: 10_000 };
/** A report that runs keeps a connection and a processor of the database busy. */
const RUNNING = { places: 2, placesOfHolder: 1, waitingOfHolder: 1, lateMs: 10_000 };

/** A report that equal requests share as long as it has not begun. */
interface SharedReport {
  readonly report: Promise<Report>;
  /** Clients that still wait for it. */
  readers: number;
  /** Ends the wait once the last of them has gone. */
  readonly abandoned: AbortController;
}

/** GET /api/v1/reconciliation. A report that has begun may have looked too early for a later request. */
export const reconciliationRoutes: Routes = (app, { reports, reportsOf }) => {
  const begin = createFairQueue(BEGUN);
  const enter = createFairQueue(RUNNING);
  const waiting = new Map<string, SharedReport>();
  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort());

  async function run(holderId: string, operatorId: string, from: Date, signal: AbortSignal): Promise<Report> {
    await awaitAuditor(reports, operatorId, signal);
    const leave = await enter(holderId);
    return runWalledReport(reportsOf, operatorId, from).finally(leave);
  }

  function join(holderId: string, operatorId: string, from: Date, reply: FastifyReply): Promise<Report> {
    const key = `${operatorId} ${from.getTime()}`;
    const shared = waiting.get(key) ?? share(key, holderId, operatorId, from);
    shared.readers += 1;
    leaveWith(reply, () => {
      shared.readers -= 1;
      if (shared.readers === 0) {
        close(key, shared);
        shared.abandoned.abort();
      }
    });
    return shared.report;
  }

  function share(key: string, holderId: string, operatorId: string, from: Date): SharedReport {
    const abandoned = new AbortController();
    const signal = AbortSignal.any([abandoned.signal, stopping.signal]);
    const begun = (async () => begin(holderId))().finally(() => close(key, shared));
    const report = begun.then((leave) => run(holderId, operatorId, from, signal).finally(leave));
    const shared: SharedReport = { report, readers: 0, abandoned };
    waiting.set(key, shared);
    return shared;
  }

  /** Later requests get a separate report. */
  function close(key: string, shared: SharedReport): void {
    if (waiting.get(key) === shared) {
      waiting.delete(key);
    }
  }

  app.route({
    method: 'GET',
    url: '/api/v1/reconciliation',
    config: { auth: 'key', scopes: ['ledger:read'], refuses: ['invalid_date'] },
    schema: {
      tags,
      operationId: 'getReconciliationReport',
      summary: 'Get the report',
      description:
        'Returns the trial balance, the statements, and the findings of every check.\n\nThe report covers everything that was recorded when it was requested: it waits until the auditor has read that. Equal requests that wait share one run. An operator has one run at a time, and an aggregator and its children have one together. If a report cannot start within 10 s, or the auditor takes more than 30 s, it is refused with 503 `service_unavailable` and `Retry-After`.',
      querystring: reportQuery,
      response: { 200: report },
    },
    handler: ({ caller, query, leaveQueue }, reply) => {
      leaveQueue();
      return join(caller.holderId, caller.operator.operatorId, readFrom(query.from), reply);
    },
  });
};

/** GET /api/v1/settlements, and the deprecated list of settled positions. */
export const settlementsRoutes: Routes = (app, { reads }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/settlements',
    config: { auth: 'key', scopes: ['settlements:read'], refuses: ['invalid_date', 'unknown_user', 'cursor_ahead'] },
    schema: {
      tags,
      operationId: 'listSettlements',
      summary: 'List settlements',
      description: 'Lists the settlements, oldest first. Read until `hasMore` is false, and store `nextCursor`.',
      querystring: settlementListQuery,
      response: { 200: settlementPage },
    },
    handler: ({ caller, query }) => pageSettlements(reads, caller.operator.operatorId, query),
  });

  app.route({
    method: 'GET',
    url: '/api/v1/settlements/positions',
    config: { auth: 'key', scopes: ['settlements:read'], refuses: ['invalid_date', 'unknown_user', 'invalid_cursor'] },
    schema: {
      tags,
      operationId: 'listSettledPositions',
      summary: 'List settled positions',
      description: 'Lists the settlements since a time.\n\nDeprecated: use `GET /api/v1/settlements`.',
      deprecated: true,
      querystring: settledPositionsQuery,
      response: { 200: settledPositionsPage },
    },
    handler: ({ caller, query }, reply) => {
      reply.header('deprecation', 'true').header('link', '</api/v1/settlements>; rel="successor-version"');
      return pageSettledPositions(reads, caller.operator.operatorId, query);
    },
  });
};

/** GET /api/v1/reconciliation/feed. */
export const feedRoutes: Routes = (app, { reads, readOrWait }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/reconciliation/feed',
    config: { auth: 'key', scopes: ['ledger:read'], refuses: ['invalid_type', 'unknown_user', 'cursor_ahead'] },
    schema: {
      tags,
      operationId: 'readReconciliationFeed',
      summary: 'Read the feed',
      description: 'Lists every money fact, in one order. Read until `hasMore` is false, and store `nextCursor`.',
      querystring: feedQuery,
      response: { 200: feedPage },
    },
    handler: async (request, reply) => {
      const { type: types, wait, ...asked } = request.query;
      const { operatorId } = request.caller.operator;
      const page = await readOrWait(request, reply, wait, () => readFeed(reads, operatorId, { ...asked, types }));
      // The page is the JSON text that feedPage describes.
      return sendJson(reply, page.json) as never;
    },
  });
};

/** GET /api/v1/collateral: an addition to the partner interface, for operators that trade live. */
export const collateralRoutes: Routes = (app, { reads }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/collateral',
    config: { auth: 'key', scopes: ['ledger:read'] },
    schema: {
      tags,
      operationId: 'getCollateral',
      summary: 'Get your collateral',
      description: 'Returns the available and the committed collateral, and the last movements.',
      querystring: collateralQuery,
      response: { 200: collateral },
    },
    handler: ({ caller, query }) => readCollateralStatement(reads, caller.operator.operatorId, query.limit),
  });
};

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  json: 'application/json; charset=utf-8',
} as const;

/** An export keeps a connection for as long as its reader takes, so no request waits for it. */
const EXPORTS = { places: 4, placesOfHolder: 1, waitingOfHolder: 0, lateMs: 0 };

/** GET /api/v1/reconciliation/export: an addition to the partner interface that streams any number of rows. */
export const exportRoutes: Routes = (app, { databaseUrl }) => {
  const enter = createFairQueue(EXPORTS);
  app.route({
    method: 'GET',
    url: '/api/v1/reconciliation/export',
    // For a HEAD, the framework would make the whole export after the response.
    exposeHeadRoute: false,
    config: { auth: 'key', scopes: ['ledger:read'], refuses: ['invalid_date'] },
    schema: {
      tags,
      operationId: 'exportReconciliation',
      summary: 'Export a register',
      description:
        'Exports a whole register as CSV, JSON lines or JSON.\n\nThe body is streamed. The header `x-export` contains the exact window, the number of rows and their totals as JSON. `x-export-to` contains only the end of the window, and `x-export-columns` contains the columns and their types. A body with fewer rows is incomplete. An operator has one export at a time, and an aggregator and its children have one together; another one is refused with 503 `service_unavailable` and `Retry-After`. An export whose reader takes nothing for 30 s, or that runs for 30 min, is aborted.',
      querystring: exportQuery,
      response: {
        200: {
          description: 'The rows in the requested format',
          content: {
            'text/csv': { schema: z.string() },
            'application/x-ndjson': { schema: z.string() },
            // One field, which has the name of the register.
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
          // The types of a described response do not include streams.
          .send(body as never)
      );
    },
  });
};
