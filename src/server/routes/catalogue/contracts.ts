/** `GET /api/v1/contracts` with `/{id}/book` and `/{id}/trades`: names, depth and trades, which events do not carry. Additions of ours. */
import { z } from 'zod';
import { readContractNames } from '../../../markets/catalogue/contract-names.ts';
import { renderBook } from '../../../markets/prices/render-book.ts';
import { contractBook, contractNames, contractNamesQuery, contractTrades } from '../../../wire/catalogue.ts';
import { audienceOfOperator } from '../../audience.ts';
import type { Routes } from '../../http/api.ts';
import { offeredContract } from './offered-contract.ts';

const tags = ['Catalogue'];

export const contractsRoutes: Routes = (app, { reads, board, clock, recentTrades }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/contracts',
    config: { auth: 'key', scopes: ['markets:read'] },
    schema: {
      tags,
      operationId: 'listContractNames',
      summary: 'Name contracts',
      description: 'What contracts are called, and the event of each.',
      querystring: contractNamesQuery,
      response: { 200: contractNames },
    },
    handler: async ({ query }) => ({ data: await readContractNames(reads, query.ids) }),
  });

  app.route({
    method: 'GET',
    url: '/api/v1/contracts/:id/book',
    config: { auth: 'key', scopes: ['markets:read'], refuses: ['market_not_found'] },
    schema: {
      tags,
      operationId: 'getContractBook',
      summary: 'Get the order book',
      description: 'Of one contract.',
      params: z.object({ id: z.string() }),
      response: { 200: contractBook },
    },
    handler: ({ caller, params }) =>
      renderBook(offeredContract(board, audienceOfOperator(caller.operator), params.id), clock.now()),
  });

  app.route({
    method: 'GET',
    url: '/api/v1/contracts/:id/trades',
    config: { auth: 'key', scopes: ['markets:read'], refuses: ['market_not_found'] },
    schema: {
      tags,
      operationId: 'getContractTrades',
      summary: 'List recent trades',
      description: 'What was traded lately, as the market reports it.',
      params: z.object({ id: z.string() }),
      response: { 200: contractTrades },
    },
    handler: ({ caller, params }) =>
      recentTrades.of(offeredContract(board, audienceOfOperator(caller.operator), params.id).contractId),
  });
};
