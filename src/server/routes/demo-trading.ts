/**
 * `/api/demo/quotes` and `/api/demo/orders` (specification "Health and public routes"): what the partner routes take and
 * answer, for a visitor of the website or the demo who has no key. Development only, the sandbox tenant `demo` only.
 */
import type { Operator } from '../../operators/operator.ts';
import type { Trader } from '../../trading/issue-quote.ts';
import { renderOrder } from '../../trading/order.ts';
import { renderQuote } from '../../trading/quote.ts';
import { demoOrder, demoQuote } from '../../wire/demo.ts';
import type { Routes } from '../api.ts';
import { createDemoGate } from '../frame/demo-tenant.ts';

const open = { auth: 'none' } as const;
const hide = true;

export const demoTradingRoutes: Routes = (app, context) => {
  if (context.environment.production) return;
  const { trading } = context;
  const admit = createDemoGate(context);

  app.route({
    method: 'POST',
    url: '/api/demo/quotes',
    config: open,
    schema: { hide, body: demoQuote },
    handler: async (request) => {
      const operator = await admit(request);
      const { user, marketId, side, action, stake, contracts } = request.body;
      const trader = traderOf(operator, user);
      const size = (action === 'buy' ? stake : contracts) ?? 0;
      return renderQuote(await trading.issueQuote(trader, { contractId: marketId, side, action, size }));
    },
  });

  app.route({
    method: 'POST',
    url: '/api/demo/orders',
    config: open,
    schema: { hide, body: demoOrder },
    handler: async (request, reply) => {
      const operator = await admit(request);
      const { user, quoteId, clientOrderId } = request.body;
      const wish = { quoteId, clientOrderId, intent: 'simulate', reserveReference: null, slippageMicros: 0n } as const;
      const { order, replay } = await trading.placeOrder(traderOf(operator, user), wish);
      return reply.code(replay ? 200 : 201).send(renderOrder(order, { replay }));
    },
  });
};

function traderOf(operator: Operator, externalUserId: string): Trader {
  return { operator, externalUserId, offering: { categories: operator.offerCategories, eventIds: null } };
}
