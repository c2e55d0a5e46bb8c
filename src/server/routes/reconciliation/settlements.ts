/** GET /api/v1/settlements, and the deprecated list beside it (contract chapter 16). */
import { pageSettledPositions, pageSettlements } from '../../../settlement/settlements.ts';
import {
  settledPositionsPage,
  settledPositionsQuery,
  settlementListQuery,
  settlementPage,
} from '../../../wire/reconciliation.ts';
import type { Routes } from '../../http/api.ts';

const tags = ['Reconciliation'];

export const settlementsRoutes: Routes = (app, { reads }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/settlements',
    config: { auth: 'key', scopes: ['settlements:read'], refuses: ['invalid_date', 'unknown_user', 'cursor_ahead'] },
    schema: {
      tags,
      operationId: 'listSettlements',
      summary: 'List settlements',
      description: 'The register of settlements, oldest first. Read until `hasMore` is false, and keep `nextCursor`.',
      querystring: settlementListQuery,
      response: { 200: settlementPage },
    },
    handler: ({ caller, query }) => pageSettlements(reads, caller.operator.operatorId, query),
  });

  app.route({
    method: 'GET',
    url: '/api/v1/settlements/positions',
    config: { auth: 'key', scopes: ['settlements:read'], refuses: ['unknown_user', 'invalid_cursor'] },
    schema: {
      tags,
      operationId: 'listSettledPositions',
      summary: 'List settled positions',
      description: 'By time.\n\nDeprecated: use `GET /api/v1/settlements`.',
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
