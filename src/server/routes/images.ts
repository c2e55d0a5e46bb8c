/** `GET /api/v1/images/{id}`: pictures of events, without a key and metered by client address (contract 35.5). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { refuse } from '../../core/errors.ts';
import { IMAGE_TYPES } from '../../markets/images/image-fetch.ts';
import { openImages, type ServedImage } from '../../markets/images/images.ts';
import type { Routes } from '../http/api.ts';
import { matchesEntityTag } from '../ready.ts';

const REQUESTS_A_MINUTE = 300;
const KEPT = 'public, max-age=86400';
/** The picture soon replaces its placeholder. */
const PLACEHOLDER = 'public, max-age=60';

export const imagesRoutes: Routes = (app, { board, sql, log, environment, secrets }) => {
  const images = openImages({ sql, log, secrets, dataDir: environment.dataDir });
  app.addHook('onClose', () => images.close());

  app.route({
    method: 'GET',
    url: '/api/v1/images/:id',
    config: {
      auth: 'none',
      budget: 'images',
      addressLimit: REQUESTS_A_MINUTE,
      revalidates: true,
      refuses: ['unknown_event'],
    },
    schema: {
      tags: ['Catalogue'],
      operationId: 'getImage',
      summary: 'Get a picture',
      description: 'The picture of an event.',
      params: z.object({ id: z.string().describe('Event id') }),
      response: {
        200: {
          description: 'The picture',
          content: Object.fromEntries(IMAGE_TYPES.map((type) => [type, { schema: z.string() }])),
        },
      },
    },
    handler: async (request, reply) => {
      const event = board.events.get(request.params.id);
      if (event === undefined) {
        throw refuse('unknown_event');
      }
      sendImage(request, reply, await images.read(event));
    },
  });
};

function sendImage(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, type, etag, isPlaceholder }: ServedImage,
): void {
  reply
    .header('etag', etag)
    .header('cache-control', isPlaceholder ? PLACEHOLDER : KEPT)
    // Pages of operators show the picture from their own origins.
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('access-control-allow-origin', '*');
  if (matchesEntityTag(request.headers['if-none-match'], etag)) {
    reply.code(304).send();
  } else {
    reply.type(type).send(bytes);
  }
}
