/**
 * GET /api/v1/whoami, an addition to the partner interface: the owner of the key, its scopes and its budget. Any valid
 * key may call it.
 */
import { whoami } from '../../wire/customers.ts';
import type { Routes } from '../http/api.ts';

export const whoamiRoutes: Routes = (app, { clock }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/whoami',
    config: { auth: 'key', scopes: [] },
    schema: {
      tags: ['Access'],
      operationId: 'whoami',
      summary: 'Get your key',
      description: 'An addition to the contract. The operator, the scopes and the budget of the key.',
      response: { 200: whoami },
    },
    handler: async ({ caller, rate }) => {
      const { operatorId, slug, name, mode, platformFeeBps, tradingPaused } = caller.operator;
      return {
        keyId: caller.keyId,
        operatorId,
        holderId: caller.holderId,
        slug,
        name,
        mode,
        scopes: [...caller.scopes],
        platformFeeBps,
        tradingPaused,
        rateLimit:
          rate === null ? null : { limit: rate.limit, remaining: rate.remaining, resetSeconds: rate.resetSeconds },
        timestamp: clock.now().toISOString(),
      };
    },
  });
};
