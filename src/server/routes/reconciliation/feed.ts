/** GET /api/v1/reconciliation/feed (contract chapter 21). */
import { readFeed } from '../../../ledger/read-feed.ts';
import { feedPage, feedQuery } from '../../../wire/feed.ts';
import type { Routes } from '../../http/api.ts';
import { sendJson } from '../../ready/ready-json.ts';

export const feedRoutes: Routes = (app, { reads }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/reconciliation/feed',
    config: { auth: 'key', scopes: ['ledger:read'], refuses: ['invalid_type', 'unknown_user', 'cursor_ahead'] },
    schema: {
      tags: ['Reconciliation'],
      operationId: 'readReconciliationFeed',
      summary: 'Read the feed',
      description: 'Every money fact, in one order. Read until `hasMore` is false, and keep `nextCursor`.',
      querystring: feedQuery,
      response: { 200: feedPage },
    },
    handler: async ({ caller, query }, reply) => {
      const page = await readFeed(reads, caller.operator.operatorId, {
        cursor: query.cursor,
        types: query.type,
        externalUserId: query.externalUserId,
        limit: query.limit,
        last: query.last,
      });
      // feedPage describes the response; this is already its JSON text
      return sendJson(reply, page) as never;
    },
  });
};
