/**
 * Trading for the session's own customer, in the partner's shapes: quotes, orders, positions, the account and what is
 * held. A browser can only request trades. It cannot confirm a reserve or choose an intent, because both concern the
 * operator's money.
 */
import { z } from 'zod';
import { refuse } from '../../core/errors.ts';
import { readFillsOfOrder } from '../../ledger/fills.ts';
import type { Board } from '../../markets/board/board.ts';
import { type RenderLocale, readLocale } from '../../markets/catalogue/event-query.ts';
import { renderEventHead, renderOutcome } from '../../markets/catalogue/render-event.ts';
import { formatMinor } from '../../money/usd.ts';
import { getCustomerJurisdiction, mayTrade } from '../../risk/jurisdiction.ts';
import { findWallet } from '../../sandbox/wallets.ts';
import { readLatestSettlements } from '../../settlement/settlements.ts';
import { findOrder } from '../../trading/orders/orders.ts';
import { pageOrders, renderOrder } from '../../trading/orders/read-orders.ts';
import { pagePositions } from '../../trading/positions.ts';
import { renderQuote } from '../../trading/quotes/price-quote.ts';
import { ORDER_REFUSALS, QUOTE_REFUSALS, readLargestStake } from '../../trading/refusals.ts';
import type { CatalogueEvent } from '../../wire/catalogue.ts';
import { frameAccount, frameHoldings } from '../../wire/embed.ts';
import { frameOrderInput, frameOrderListQuery, order, orderDetail, orderPage, orderQuery } from '../../wire/order.ts';
import { positionListQuery, positionPage } from '../../wire/position.ts';
import { quote, quoteInput } from '../../wire/quote.ts';
import { latestSettlements } from '../../wire/reconciliation.ts';
import type { Routes } from '../http/api.ts';
import { sessionOf } from '../http/embed-auth.ts';
import { noteOrder } from '../http/hooks.ts';
import { orderRequest, quoteRequest, traderOfRequest } from '../trading-input.ts';

const config = { auth: 'embed' } as const;
const spending = { ...config, rateHeaders: false } as const;
const tags = ['Embed frame'];
/** The most rows of a response without pages. */
const MOST_ROWS = 200;

/** Quotes, orders and positions. */
export const embedTradingRoutes: Routes = (app, { reads, trading }) => {
  app.route({
    method: 'POST',
    url: '/api/embed/quotes',
    config: { ...spending, refuses: QUOTE_REFUSALS },
    schema: {
      tags,
      operationId: 'createFrameQuote',
      summary: 'Get a quote',
      description: 'Returns a price for a buy by stake, or a sell by contracts.',
      body: quoteInput,
      response: { 200: quote },
    },
    handler: async (request) => {
      return renderQuote(await trading.issueQuote(traderOfRequest(request), quoteRequest(request.body)));
    },
  });

  app.route({
    method: 'POST',
    url: '/api/embed/orders',
    config: { ...spending, refuses: ORDER_REFUSALS },
    schema: {
      tags,
      operationId: 'createFrameOrder',
      summary: 'Place an order',
      description:
        'Places an order at the price of a quote. In live mode the order waits until the operator confirms its reserve.',
      body: frameOrderInput,
      response: { 200: order, 201: order },
    },
    handler: async (request, reply) => {
      const { caller, body } = request;
      const intent = caller.operator.mode === 'sandbox' ? 'simulate' : 'record_intent';
      const trader = traderOfRequest(request);
      const placed = await trading.placeOrder(trader, orderRequest(body, intent), request.leaveQueue);
      noteOrder(request, placed.order.orderId);
      return reply.code(placed.replay ? 200 : 201).send(renderOrder(placed.order, { replay: placed.replay }));
    },
  });

  app.route({
    method: 'GET',
    url: '/api/embed/orders',
    config,
    schema: {
      tags,
      operationId: 'listFrameOrders',
      summary: 'List orders',
      description: 'Lists the orders of the customer, newest first.',
      querystring: frameOrderListQuery,
      response: { 200: orderPage },
    },
    handler: (request) => {
      const { operatorId, externalUserId } = sessionOf(request);
      return pageOrders(reads, operatorId, { ...request.query, externalUserId });
    },
  });

  app.route({
    method: 'GET',
    url: '/api/embed/orders/:id',
    config: { ...config, refuses: ['unknown_order'] },
    schema: {
      tags,
      operationId: 'getFrameOrder',
      summary: 'Get an order',
      description: 'Returns one order of the customer.',
      params: z.object({ id: z.string() }),
      querystring: orderQuery,
      response: { 200: orderDetail },
    },
    handler: async (request) => {
      const { operatorId, externalUserId } = sessionOf(request);
      const found = await findOrder(reads, operatorId, request.params.id);
      // Another customer's order must look like a missing one.
      if (found === undefined || found.externalUserId !== externalUserId) {
        throw refuse('unknown_order');
      }
      const fills = request.query.fills ? await readFillsOfOrder(reads, operatorId, found.orderId) : undefined;
      return renderOrder(found, { intent: true, fills });
    },
  });

  app.route({
    method: 'GET',
    url: '/api/embed/positions',
    config,
    schema: {
      tags,
      operationId: 'listFramePositions',
      summary: 'List positions',
      description: 'Lists the positions of the customer, newest first.',
      querystring: positionListQuery.omit({ externalUserId: true }),
      response: { 200: positionPage },
    },
    handler: (request) => {
      const { operatorId, externalUserId } = sessionOf(request);
      return pagePositions(reads, operatorId, { ...request.query, externalUserId });
    },
  });
};

/** How much the customer can stake, and how past positions ended. */
export const embedAccountRoutes: Routes = (app, { reads }) => {
  app.route({
    method: 'GET',
    url: '/api/embed/account',
    config,
    schema: {
      tags,
      operationId: 'getFrameAccount',
      summary: 'Get the account',
      description:
        'Returns the fee rate, the simulated balance, the largest possible stake, and what the place of the customer permits.',
      response: { 200: frameAccount },
    },
    handler: async (request) => {
      const { operator } = request.caller;
      const { operatorId, externalUserId } = sessionOf(request);
      const wallet = operator.mode === 'sandbox' ? await findWallet(reads, operatorId, externalUserId) : undefined;
      const largest = await readLargestStake(reads, operator, externalUserId, wallet?.availableMinor ?? null);
      const { country } = await getCustomerJurisdiction(reads, operatorId, externalUserId);
      const policy = {
        mode: operator.jurisdictionMode,
        permittedCountries: operator.permittedCountries,
        allowExits: operator.jurisdictionAllowExits,
      };
      return {
        currency: 'USD' as const,
        platformFeeBps: operator.platformFeeBps,
        available: wallet === undefined ? null : formatMinor(wallet.availableMinor),
        largestStake: largest && { amount: formatMinor(largest.minor), limit: largest.limit },
        mayBuy: mayTrade(policy, country),
        maySell: mayTrade(policy, country, 'sell'),
      };
    },
  });

  app.route({
    method: 'GET',
    url: '/api/embed/settlements',
    config,
    schema: {
      tags,
      operationId: 'listFrameSettlements',
      summary: 'List settlements',
      description: 'Lists the latest settlements of the customer, newest first.',
      response: { 200: latestSettlements },
    },
    handler: (request) => {
      const { operatorId, externalUserId } = sessionOf(request);
      return readLatestSettlements(reads, operatorId, externalUserId, MOST_ROWS);
    },
  });
};

/** `GET /api/embed/holdings`: the customer's holdings. No other call of the frame is open to a suspended customer. */
export const embedHoldingsRoutes: Routes = (app, { board, clock, reads }) => {
  app.route({
    method: 'GET',
    url: '/api/embed/holdings',
    config: { ...config, alsoSuspended: true },
    schema: {
      tags,
      operationId: 'listFrameHoldings',
      summary: 'Get the holdings',
      description: 'Returns the positions of the customer, with their markets. A suspended customer gets them too.',
      querystring: z.object({
        locale: z.string().optional().describe('Language: en, es, pt or hr. Any other value selects English'),
      }),
      response: { 200: frameHoldings },
    },
    handler: async (request, reply) => {
      const { operatorId, externalUserId } = sessionOf(request);
      const [{ positions }, { settlements }] = await Promise.all([
        pagePositions(reads, operatorId, { externalUserId, limit: MOST_ROWS }),
        readLatestSettlements(reads, operatorId, externalUserId, MOST_ROWS),
      ]);
      const held = new Set(positions.map(({ contractId }) => contractId));
      const events = renderHeld(board, held, readLocale(request.query.locale), clock.now());
      const { platformFeeBps } = request.caller.operator;
      return reply.header('cache-control', 'no-store').send({ platformFeeBps, positions, settlements, events });
    },
  });
};

/** The events of the held contracts, also if the operator does not offer them any more. */
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
