/**
 * Quotes, orders and positions of the session's own customer, in the partner's shapes. A browser can only request
 * trades: it cannot confirm a reserve or choose an intent, since both concern the operator's money.
 */
import { z } from 'zod';
import { refuse } from '../../../core/errors.ts';
import { findOrder, listFills } from '../../../trading/orders/orders.ts';
import { pageOrders, renderOrder } from '../../../trading/orders/read-orders.ts';
import { pagePositions } from '../../../trading/positions.ts';
import { renderQuote } from '../../../trading/quotes/price-quote.ts';
import { ORDER_REFUSALS, QUOTE_REFUSALS } from '../../../trading/refusals.ts';
import {
  frameOrderInput,
  frameOrderListQuery,
  order,
  orderDetail,
  orderPage,
  orderQuery,
} from '../../../wire/order.ts';
import { positionListQuery, positionPage } from '../../../wire/position.ts';
import { quote, quoteInput } from '../../../wire/quote.ts';
import type { Routes } from '../../http/api.ts';
import { sessionOf } from '../../http/embed-auth.ts';
import { answerPreflight } from '../../http/embed-cors.ts';
import { orderRequest, quoteRequest, traderOfRequest } from '../../trading-input.ts';

const config = { auth: 'embed' } as const;
const spending = { auth: 'embed', rateHeaders: false } as const;
const tags = ['Embed frame'];

export const embedTradingRoutes: Routes = (app, { reads, trading }) => {
  answerPreflight(app, '/api/embed/quotes', ['POST']);
  app.route({
    method: 'POST',
    url: '/api/embed/quotes',
    config: { ...spending, refuses: QUOTE_REFUSALS },
    schema: {
      tags,
      operationId: 'createFrameQuote',
      summary: 'Get a quote',
      description: 'For a buy by stake, or a sell by contracts.',
      body: quoteInput,
      response: { 200: quote },
    },
    handler: async (request) => {
      return renderQuote(await trading.issueQuote(traderOfRequest(request), quoteRequest(request.body)));
    },
  });

  answerPreflight(app, '/api/embed/orders', ['GET', 'POST']);
  app.route({
    method: 'POST',
    url: '/api/embed/orders',
    config: { ...spending, refuses: ORDER_REFUSALS },
    schema: {
      tags,
      operationId: 'createFrameOrder',
      summary: 'Place an order',
      description: 'At the price of a quote. In live mode the order waits until the operator confirms its reserve.',
      body: frameOrderInput,
      response: { 200: order, 201: order },
    },
    handler: async (request, reply) => {
      const { caller, body } = request;
      const intent = caller.operator.mode === 'sandbox' ? 'simulate' : 'record_intent';
      const trader = traderOfRequest(request);
      const placed = await trading.placeOrder(trader, orderRequest(body, intent), request.leaveQueue);
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
      description: 'Those of the customer, newest first.',
      querystring: frameOrderListQuery,
      response: { 200: orderPage },
    },
    handler: (request) => {
      const { operatorId, externalUserId } = sessionOf(request);
      return pageOrders(reads, operatorId, { ...request.query, externalUserId });
    },
  });

  answerPreflight(app, '/api/embed/orders/:id', ['GET']);
  app.route({
    method: 'GET',
    url: '/api/embed/orders/:id',
    config: { ...config, refuses: ['unknown_order'] },
    schema: {
      tags,
      operationId: 'getFrameOrder',
      summary: 'Get an order',
      description: 'One order of the customer.',
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
      const fills = request.query.fills ? await listFills(reads, operatorId, found.orderId) : undefined;
      return renderOrder(found, { intent: true, fills });
    },
  });

  answerPreflight(app, '/api/embed/positions', ['GET']);
  app.route({
    method: 'GET',
    url: '/api/embed/positions',
    config,
    schema: {
      tags,
      operationId: 'listFramePositions',
      summary: 'List positions',
      description: 'Those of the customer, newest first.',
      querystring: positionListQuery.omit({ externalUserId: true }),
      response: { 200: positionPage },
    },
    handler: (request) => {
      const { operatorId, externalUserId } = sessionOf(request);
      return pagePositions(reads, operatorId, { ...request.query, externalUserId });
    },
  });
};
