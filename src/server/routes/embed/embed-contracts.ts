/** `GET /api/embed/contracts/{id}/book` and `/trades`: depth and recent trades for the frame, from memory. */
import { z } from 'zod';
import { renderBook } from '../../../markets/prices/render-book.ts';
import { contractBook, contractTrades } from '../../../wire/catalogue.ts';
import { audienceOfSession } from '../../audience.ts';
import type { Routes } from '../../http/api.ts';
import { sessionOf } from '../../http/embed-auth.ts';
import { answerPreflight } from '../../http/embed-cors.ts';
import { offeredContract } from '../catalogue/offered-contract.ts';

const config = { auth: 'embed', refuses: ['market_not_found'] } as const;
const tags = ['Embed frame'];
const params = z.object({ id: z.string() });
const bookUrl = '/api/embed/contracts/:id/book';
const tradesUrl = '/api/embed/contracts/:id/trades';

export const embedContractsRoutes: Routes = (app, { board, clock, recentTrades }) => {
  answerPreflight(app, bookUrl, ['GET']);
  app.route({
    method: 'GET',
    url: bookUrl,
    config,
    schema: {
      tags,
      operationId: 'getFrameContractBook',
      summary: 'Get the order book',
      description: 'Of a contract that the session is offered.',
      params,
      response: { 200: contractBook },
    },
    handler: (request) =>
      renderBook(offeredContract(board, audienceOfSession(sessionOf(request)), request.params.id), clock.now()),
  });

  answerPreflight(app, tradesUrl, ['GET']);
  app.route({
    method: 'GET',
    url: tradesUrl,
    config,
    schema: {
      tags,
      operationId: 'getFrameContractTrades',
      summary: 'List recent trades',
      description: 'What was traded lately in a contract that the session is offered.',
      params,
      response: { 200: contractTrades },
    },
    handler: (request) =>
      recentTrades.of(offeredContract(board, audienceOfSession(sessionOf(request)), request.params.id).contractId),
  });
};
