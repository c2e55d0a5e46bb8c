/** `GET /api/embed/holdings`: what the session's customer holds; the one call of the frame that a suspended customer may make. */
import { z } from 'zod';
import type { Board } from '../../../markets/board/board.ts';
import { type RenderLocale, readLocale } from '../../../markets/catalogue/event-query.ts';
import { renderEventHead, renderOutcome } from '../../../markets/catalogue/render-event.ts';
import { readLatestSettlements } from '../../../settlement/settlements.ts';
import { pagePositions } from '../../../trading/positions.ts';
import type { CatalogueEvent } from '../../../wire/catalogue.ts';
import { frameHoldings } from '../../../wire/embed.ts';
import type { Routes } from '../../http/api.ts';
import { sessionOf } from '../../http/embed-auth.ts';
import { answerPreflight } from '../../http/embed-cors.ts';

const url = '/api/embed/holdings';
const MOST = 200;

export const embedHoldingsRoutes: Routes = (app, { board, clock, reads }) => {
  answerPreflight(app, url, ['GET']);
  app.route({
    method: 'GET',
    url,
    config: { auth: 'embed', alsoSuspended: true },
    schema: {
      tags: ['Embed frame'],
      operationId: 'listFrameHoldings',
      summary: 'Get the holdings',
      description: 'What the customer holds, with its markets; also for a customer who is suspended.',
      querystring: z.object({ locale: z.string().optional().describe('en, es, pt or hr; anything else is English') }),
      response: { 200: frameHoldings },
    },
    handler: async (request, reply) => {
      const { operatorId, externalUserId } = sessionOf(request);
      const [{ positions }, { settlements }] = await Promise.all([
        pagePositions(reads, operatorId, { externalUserId, limit: MOST }),
        readLatestSettlements(reads, operatorId, externalUserId, MOST),
      ]);
      const held = new Set(positions.map(({ contractId }) => contractId));
      const events = renderHeld(board, held, readLocale(request.query.locale), clock.now());
      const { platformFeeBps } = request.caller.operator;
      return reply.header('cache-control', 'no-store').send({ platformFeeBps, positions, settlements, events });
    },
  });
};

/** What is held is shown whether or not the operator still offers it. */
function renderHeld(board: Board, held: ReadonlySet<string>, locale: RenderLocale, now: Date): CatalogueEvent[] {
  const contracts = [...held].flatMap((id) => board.contracts.get(id) ?? []);
  const events = [...new Set(contracts.map(({ eventId }) => eventId))].flatMap((id) => board.events.get(id) ?? []);
  return events.map((event) => ({
    ...renderEventHead(event, locale),
    outcomes: contracts
      .filter(({ eventId }) => eventId === event.eventId)
      .map((contract) => renderOutcome(contract, locale, now)),
  }));
}
