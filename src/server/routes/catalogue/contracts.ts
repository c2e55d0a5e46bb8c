/** `GET /api/v1/contracts` and `GET /api/v1/contracts/{id}/book`: names and depth, which events do not carry. Additions of ours. */
import { z } from 'zod';
import { refuse } from '../../../core/errors.ts';
import { readContractNames } from '../../../markets/catalogue/contract-names.ts';
import { renderBook } from '../../../markets/prices/render-book.ts';
import { contractBook, contractNames, contractNamesQuery } from '../../../wire/contracts.ts';
import { audienceOfOperator } from '../../audience.ts';
import type { Routes } from '../../http/api.ts';

const tags = ['Catalogue'];

export const contractsRoutes: Routes = (app, { reads, board, clock }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/contracts',
    config: { auth: 'key', scopes: ['markets:read'] },
    schema: {
      tags,
      operationId: 'listContractNames',
      summary: 'What contracts are called, and the event of each',
      querystring: contractNamesQuery,
      response: { 200: contractNames },
    },
    handler: async ({ query }) => ({ data: await readContractNames(reads, query.ids) }),
  });

  app.route({
    method: 'GET',
    url: '/api/v1/contracts/:id/book',
    config: { auth: 'key', scopes: ['markets:read'] },
    schema: {
      tags,
      operationId: 'getContractBook',
      summary: 'The order book of a contract',
      params: z.object({ id: z.string() }),
      response: { 200: contractBook },
    },
    handler: ({ caller, params }) => {
      const contract = board.contracts.get(params.id);
      const event = contract === undefined ? undefined : board.events.get(contract.eventId);
      if (contract === undefined || event === undefined || !audienceOfOperator(caller.operator).offers(event)) {
        throw refuse('market_not_found');
      }
      return renderBook(contract, clock.now());
    },
  });
};
