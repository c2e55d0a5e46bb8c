/**
 * `/api/demo/quotes` and `/api/demo/orders` (contract chapter 37): the requests and responses of
 * the partner routes, for a visitor of the website or the demo who has no key. Development only, the sandbox tenant
 * `demo` only.
 */
import { renderOrder } from '../../trading/orders/read-orders.ts';
import { renderQuote } from '../../trading/quotes/price-quote.ts';
import { traderOf } from '../../trading/trader.ts';
import { demoOrder, demoQuote } from '../../wire/embed.ts';
import { orderRequest, quoteRequest } from '../trading-input.ts';
import { forDemo } from './demo-visitor.ts';

const open = { auth: 'none' } as const;
const hide = true;

export const demoTradingRoutes = forDemo((app, { trading }, admit) => {
  app.route({
    method: 'POST',
    url: '/api/demo/quotes',
    config: open,
    schema: { hide, body: demoQuote },
    handler: async (request) => {
      const operator = await admit(request);
      const trader = traderOf(operator, request.body.user);
      return renderQuote(await trading.issueQuote(trader, quoteRequest(request.body)));
    },
  });

  app.route({
    method: 'POST',
    url: '/api/demo/orders',
    config: open,
    schema: { hide, body: demoOrder },
    handler: async (request, reply) => {
      const operator = await admit(request);
      const trader = traderOf(operator, request.body.user);
      const { order, replay } = await trading.placeOrder(trader, orderRequest(request.body, 'simulate'));
      return reply.code(replay ? 200 : 201).send(renderOrder(order, { replay }));
    },
  });
});
