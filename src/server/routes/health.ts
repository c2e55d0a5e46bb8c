/**
 * `GET /api/health`: 503 while the database is not available (contract chapter 37) or this process
 * stops.
 */
import { z } from 'zod';
import { readHealth } from '../health/health.ts';
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
    handler: async (_request, reply) => {
      const report = await readHealth(context);
      reply.header('cache-control', 'no-store');
      if (app.isStopping) {
        return reply.code(503).send({ ...report, status: 'unhealthy' });
      }
      return reply.code(report.database === 'up' ? 200 : 503).send(report);
    },
  });
};
