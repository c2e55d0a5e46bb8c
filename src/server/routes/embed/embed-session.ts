/** `GET /api/embed/session`: what the frame needs to know about its session. */
import { listDisplayRates } from '../../../embed/display-rates.ts';
import { minuteEnd, renderSession, SESSION_RATE_LIMIT } from '../../../embed/sessions.ts';
import { frameSession } from '../../../wire/embed.ts';
import type { Routes } from '../../http/api.ts';
import { sessionOf } from '../../http/embed-auth.ts';
import { answerPreflight } from '../../http/embed-cors.ts';

const url = '/api/embed/session';

export const embedSessionRoutes: Routes = (app, { sql, clock }) => {
  answerPreflight(app, url, ['GET']);
  app.route({
    method: 'GET',
    url,
    config: { auth: 'embed' },
    schema: {
      tags: ['Embed frame'],
      operationId: 'getFrameSession',
      summary: 'Get the session',
      description: 'The session of the token, the presentation of its operator, and the display rates.',
      response: { 200: frameSession },
    },
    handler: async (request, reply) => {
      const { slug, name, mode, presentation } = request.caller.operator;
      const now = clock.now();
      const { remaining = SESSION_RATE_LIMIT, resetSeconds = 0 } = request.rate ?? {};
      // The counter uses the database's minute; a time half a minute before its end is always inside it.
      const resetsAt = minuteEnd(new Date(now.getTime() + resetSeconds * 1000 - 30_000));
      const usage = { requests: SESSION_RATE_LIMIT - remaining, resetsAt };
      const rates = await listDisplayRates(sql);
      return reply.header('cache-control', 'no-store').send({
        ...renderSession(sessionOf(request), usage, now),
        operator: { slug, name, mode, presentation },
        displayRates: rates.map((rate) => ({ ...rate, setAt: rate.setAt?.toISOString() ?? null })),
      });
    },
  });
};
