/** Trading for partners: quotes (contract chapter 9), orders (chapter 10) and positions (chapter 15). */
import { z } from 'zod';
import { refuse } from '../../core/errors.ts';
import { readFillsOfOrder } from '../../ledger/fills.ts';
import { readOrderHistory } from '../../reconciliation/order-history.ts';
import { findOrder } from '../../trading/orders/orders.ts';
import { pageOrders, renderOrder } from '../../trading/orders/read-orders.ts';
import { findPosition, pagePositions, renderPosition } from '../../trading/positions.ts';
import { renderQuote } from '../../trading/quotes/price-quote.ts';
import { CANCEL_REFUSALS, CONFIRM_REFUSALS, ORDER_REFUSALS, QUOTE_REFUSALS } from '../../trading/refusals.ts';
import { historyQuery, orderHistory } from '../../wire/history.ts';
import {
  cancelInput,
  cancellation,
  confirmReserveInput,
  order,
  orderDetail,
  orderInput,
  orderListQuery,
  orderPage,
  orderQuery,
} from '../../wire/order.ts';
import { position, positionListQuery, positionPage } from '../../wire/position.ts';
import { quote, quoteInput } from '../../wire/quote.ts';
import type { Routes } from '../http/api.ts';
import { noteOrder } from '../http/hooks.ts';
import { orderRequest, quoteRequest, traderOfRequest } from '../trading-input.ts';

const tags = ['Trading'];
const params = z.object({ id: z.string() });

/** `POST /api/v1/quotes`. */
export const quotesRoutes: Routes = (app, { trading }) => {
  app.route({
    method: 'POST',
    url: '/api/v1/quotes',
    config: {
      auth: 'key',
      scopes: ['quotes:write'],
      rateHeaders: false,
      userHeader: true,
      refuses: QUOTE_REFUSALS,
    },
    schema: {
      tags,
      operationId: 'createQuote',
      summary: 'Get a quote',
      description: 'Returns a price for a buy by stake, or a sell by contracts. The price is held for some seconds.',
      body: quoteInput,
      response: { 200: quote },
    },
    handler: async (request) => {
      return renderQuote(await trading.issueQuote(traderOfRequest(request), quoteRequest(request.body)));
    },
  });
};

/** `/api/v1/orders`. */
export const ordersRoutes: Routes = (app, { reads, trading }) => {
  app.route({
    method: 'POST',
    url: '/api/v1/orders',
    config: {
      auth: 'key',
      scopes: ['orders:write'],
      rateHeaders: false,
      userHeader: true,
      refuses: ORDER_REFUSALS,
    },
    schema: {
      tags,
      operationId: 'createOrder',
      summary: 'Place an order',
      description:
        'Places an order at the price of a quote. If you send the same `clientOrderId` again, you get the order that it made, and no second order is placed.',
      body: orderInput,
      response: { 200: order, 201: order },
    },
    handler: async (request, reply) => {
      const { body } = request;
      const trader = traderOfRequest(request);
      const intent = body.executionIntent ?? (trader.operator.mode === 'sandbox' ? 'simulate' : 'record_intent');
      const placed = await trading.placeOrder(trader, orderRequest(body, intent), request.leaveQueue);
      noteOrder(request, placed.order.orderId);
      return reply.code(placed.replay ? 200 : 201).send(renderOrder(placed.order, { replay: placed.replay }));
    },
  });

  app.route({
    method: 'GET',
    url: '/api/v1/orders',
    config: { auth: 'key', scopes: ['orders:read'], refuses: ['invalid_date'] },
    schema: {
      tags,
      operationId: 'listOrders',
      summary: 'List orders',
      description: 'Lists the orders of your customers, newest first.',
      querystring: orderListQuery,
      response: { 200: orderPage },
    },
    handler: ({ caller, query }) => pageOrders(reads, caller.operator.operatorId, query),
  });

  app.route({
    method: 'GET',
    url: '/api/v1/orders/:id',
    config: { auth: 'key', scopes: ['orders:read'], refuses: ['unknown_order'] },
    schema: {
      tags,
      operationId: 'getOrder',
      summary: 'Get an order',
      description: 'Returns one order with its intent, and with its fills if `fills=true`.',
      params,
      querystring: orderQuery,
      response: { 200: orderDetail },
    },
    handler: async ({ caller, params, query }) => {
      const found = await findOrder(reads, caller.operator.operatorId, params.id);
      if (found === undefined) {
        throw refuse('unknown_order');
      }
      const fills = query.fills ? await readFillsOfOrder(reads, caller.operator.operatorId, found.orderId) : undefined;
      return renderOrder(found, { intent: true, fills });
    },
  });

  app.route({
    method: 'GET',
    url: '/api/v1/orders/:id/history',
    config: { auth: 'key', scopes: ['orders:read'], refuses: ['unknown_order'] },
    schema: {
      tags,
      operationId: 'getOrderHistory',
      summary: 'Get the history of an order',
      description:
        'An addition to the contract. Everything that happened to the order, the money that you were told to book for it, and the deliveries of its webhooks. The order is named by its id, by its `executionRef` in upper or lower case, or, with `externalUserId`, by its `clientOrderId`.',
      params,
      querystring: historyQuery,
      response: { 200: orderHistory },
    },
    handler: async (request) => {
      const { operatorId } = request.caller.operator;
      const { externalUserId } = request.query;
      const history = await readOrderHistory(reads, { operatorId, reference: request.params.id, externalUserId });
      noteOrder(request, history.order.orderId);
      return history;
    },
  });

  app.route({
    method: 'POST',
    url: '/api/v1/orders/:id/confirm-reserve',
    config: { auth: 'key', scopes: ['orders:write'], refuses: CONFIRM_REFUSALS },
    schema: {
      tags,
      operationId: 'confirmReserve',
      summary: 'Confirm a reserve',
      description:
        'Confirms that you reserved the money of a recorded order, so that it may be sent. A repeated call changes nothing.',
      params,
      body: confirmReserveInput,
      response: { 200: orderDetail },
    },
    handler: async ({ caller, params, body }) =>
      renderOrder(await trading.confirmReserve(caller.operator, params.id, body?.reserveReference || null), {
        intent: true,
      }),
  });

  app.route({
    method: 'POST',
    url: '/api/v1/orders/:id/cancel',
    config: { auth: 'key', scopes: ['orders:write'], refuses: CANCEL_REFUSALS },
    schema: {
      tags,
      operationId: 'cancelOrder',
      summary: 'Cancel an order',
      description: 'Cancels an order that was not sent to a venue. A repeated call returns the same cancellation.',
      params,
      body: cancelInput,
      response: { 200: cancellation },
    },
    handler: ({ caller, params }) => trading.cancelOrder(caller.operator, params.id),
  });
};

const positionConfig = { auth: 'key', scopes: ['positions:read'] } as const;
const positionTags = ['Positions'];

/** `/api/v1/positions`. */
export const positionsRoutes: Routes = (app, { reads }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/positions',
    config: positionConfig,
    schema: {
      tags: positionTags,
      operationId: 'listPositions',
      summary: 'List positions',
      description: 'Lists the positions of your customers, newest first.',
      querystring: positionListQuery,
      response: { 200: positionPage },
    },
    handler: ({ caller, query }) => pagePositions(reads, caller.operator.operatorId, query),
  });

  app.route({
    method: 'GET',
    url: '/api/v1/positions/:id',
    config: { ...positionConfig, refuses: ['position_not_found'] },
    schema: {
      tags: positionTags,
      operationId: 'getPosition',
      summary: 'Get a position',
      params,
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
