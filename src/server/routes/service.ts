/**
 * The facts about the service and about a key that its caller may read: health (contract chapter 37), `whoami`, and the contact for faults.
 */
import { z } from 'zod';
import { whoami } from '../../wire/customers.ts';
import { createHealthHandler } from '../health/health.ts';
import type { Routes } from '../http/api.ts';

const count = z.number().int().nonnegative();

const health = z.object({
  status: z.enum(['ok', 'degraded', 'starting', 'unhealthy']),
  database: z.enum(['up', 'down']),
  markets: z.object({ total: count, open: count, resolved: count }),
  stream: z.object({
    running: z.boolean(),
    subscriptions: count,
    openContracts: count,
    streamPricedContracts: count,
    restPricedContracts: count,
  }),
  pricing: z.object({ houseEdgeBps: z.number().int(), maxUsableSpread: z.number() }),
  timestamp: z.iso.datetime(),
});

/** `GET /api/health`. It responds with 503 if the database is not available or this process stops. */
export const healthRoutes: Routes = (app, context) => {
  app.route({
    method: 'GET',
    url: '/api/health',
    config: { auth: 'none', budget: 'health' },
    schema: {
      tags: ['Service'],
      operationId: 'getHealth',
      summary: 'Get the health of the service',
      response: { 200: health, 503: health },
    },
    handler: createHealthHandler(app, context),
  });
};

/**
 * `GET /api/v1/whoami`, an addition to the partner interface: the owner of the key, its scopes and its budget. Any valid
 * key may call it.
 */
export const whoamiRoutes: Routes = (app, { clock }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/whoami',
    config: { auth: 'key', scopes: [] },
    schema: {
      tags: ['Access'],
      operationId: 'whoami',
      summary: 'Get your key',
      description: 'Returns the operator, the scopes and the rate limit of the key.',
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

/** RFC 9116 recommends less than a year. */
const VALID_MS = 180 * 24 * 3_600_000;

/** `/.well-known/security.txt` (RFC 9116): the contact for faults, if the deployment names one. */
export const securityTextRoutes: Routes = (app, { environment, clock }) => {
  const { securityContact } = environment;
  if (securityContact === undefined) {
    return;
  }
  app.route({
    method: 'GET',
    url: '/.well-known/security.txt',
    config: { auth: 'none' },
    schema: { hide: true },
    handler: (_request, reply) =>
      reply
        .type('text/plain; charset=utf-8')
        .send(
          `Contact: ${securityContact}\nExpires: ${new Date(clock.now().getTime() + VALID_MS).toISOString()}\nPreferred-Languages: en\n`,
        ),
  });
};
