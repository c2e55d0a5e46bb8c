/** GET /api/v1/positions and /api/v1/positions/{id} (contract chapter 15). */
import { z } from 'zod';
import { refuse } from '../../../core/errors.ts';
import { findPosition, pagePositions, renderPosition } from '../../../trading/positions.ts';
import { position, positionListQuery, positionPage } from '../../../wire/position.ts';
import type { Routes } from '../../http/api.ts';

const config = { auth: 'key', scopes: ['positions:read'] } as const;
const tags = ['Positions'];

export const positionsRoutes: Routes = (app, { reads }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/positions',
    config,
    schema: {
      tags,
      operationId: 'listPositions',
      summary: 'List positions',
      description: 'Newest first.',
      querystring: positionListQuery,
      response: { 200: positionPage },
    },
    handler: ({ caller, query }) => pagePositions(reads, caller.operator.operatorId, query),
  });

  app.route({
    method: 'GET',
    url: '/api/v1/positions/:id',
    config: { ...config, refuses: ['position_not_found'] },
    schema: {
      tags,
      operationId: 'getPosition',
      summary: 'Get a position',
      params: z.object({ id: z.string() }),
      response: { 200: position },
    },
    handler: async ({ caller, params }) => {
      const found = await findPosition(reads, caller.operator.operatorId, params.id);
      if (found === undefined) {
        throw refuse('position_not_found');
      }
      return renderPosition(found);
    },
  });
};
