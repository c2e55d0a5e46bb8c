/**
 * `GET /api/v1/stream/prices` (contract chapter 8): public, never with an API key. An embed token only selects the offered
 * events. Contracts that do not exist or are not offered are listed in the snapshot and otherwise omitted.
 */
import { STATUS_CODES } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ApiContext } from '../../context.ts';
import { createPeerCheck, meteredAddress } from '../../core/addresses.ts';
import { Refusal, refuse } from '../../core/errors.ts';
import { presentToken, refuseTokenInQuery } from '../../embed/authenticate.ts';
import { createKeyring, createSessionFinder } from '../../embed/sessions.ts';
import { audienceOfSession, EVERYONE } from '../audience.ts';
import type { Routes } from '../http/api.ts';
import { acceptAsSent, queryText, rawQuery } from '../http/requests.ts';
import { openPriceStream, type StreamRequest } from '../stream/price-stream.ts';

type Reader = Pick<StreamRequest, 'audience' | 'sessionId'>;

/** The shapes of `data` in a frame, for the document. */
const FRAMES = { anyOf: ['PriceSnapshot', 'Price'].map((name) => ({ $ref: `#/components/schemas/${name}` })) };

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  // Pages of operators read the stream from their own origins.
  'access-control-allow-origin': '*',
};

export const streamRoutes: Routes = (app, context) => {
  const { board, clock, environment } = context;
  const stream = openPriceStream(board, clock, {
    connections: environment.streamConnections,
    addressConnections: environment.streamAddressConnections,
    sessionConnections: environment.streamSessionConnections,
    contracts: environment.streamContracts,
    instruments: environment.streamInstruments,
  });
  const identify = createIdentifier(context);
  const isTrusted = createPeerCheck(environment.trustedProxies);
  app.addHook('preClose', async () => stream.close());

  app.route({
    method: 'GET',
    url: '/api/v1/stream/prices',
    exposeHeadRoute: false,
    config: { auth: 'none', budget: 'stream', mayPresentToken: true, refuses: ['invalid_key', 'stream_capacity'] },
    validatorCompiler: acceptAsSent,
    schema: {
      tags: ['Catalogue'],
      operationId: 'streamPrices',
      summary: 'Stream prices',
      description:
        'Streams prices as server-sent events.\n\nThe first event is `snapshot`. `price` events follow, also for a pause and its end, and `closed` if a contract stops trading for good. A `: ping` comment is sent every 15 s. An optional ' +
        '`Authorization: Embed <token>` selects the offering policy. No API key is accepted.',
      querystring: z.object({ contracts: z.string().describe('Comma-separated ctr_ ids') }),
      response: {
        200: {
          description: 'Server-sent events. `data` is a PriceSnapshot in the first event, and a Price in all others',
          content: {
            'text/event-stream': {
              schema: z.string().meta({
                contentSchema: FRAMES,
                description: 'The events, one after the other.',
              }),
            },
          },
        },
      },
    },
    handler: async (request, reply) => {
      refuseTokenInQuery(queryText(request));
      const contractIds = readContractIds(rawQuery(request)['contracts']);
      const reader = await identify(request);
      const { clientAddress } = request;
      const address = isTrusted(clientAddress) ? null : meteredAddress(clientAddress);
      const admitted = stream.admit({ contractIds, ...reader, address });
      reply.hijack();
      const { socket, httpVersion } = request.raw;
      admitted.start(socket, httpVersion !== '1.0', headOf(reply, httpVersion !== '1.0'));
    },
  });
};

/** @throws invalid_request if no contract is named */
function readContractIds(raw: string | readonly string[] | undefined): string[] {
  const text = typeof raw === 'string' ? raw : (raw ?? []).join(',');
  const ids = new Set(text.split(',').map((id) => id.trim()));
  ids.delete('');
  if (ids.size === 0) {
    throw refuse('invalid_request', 'contracts must be a comma-separated list of ctr_ ids.');
  }
  return [...ids];
}

/**
 * Finds the session and the audience of a request. Every credential that is not accepted is refused with 401 (contract
 * 8.2, contract 8.3).
 */
function createIdentifier({ secrets, sql }: ApiContext): (request: FastifyRequest) => Promise<Reader> {
  const keyring = createKeyring(secrets);
  const find = createSessionFinder(sql);
  return async ({ headers: { authorization } }) => {
    if (authorization === undefined) {
      return { audience: EVERYONE, sessionId: null };
    }
    if (!/^Embed /i.test(authorization)) {
      throw refuse('invalid_key', 'No API key is accepted on the price stream.');
    }
    try {
      const session = await presentToken(keyring, find, authorization);
      return { audience: audienceOfSession(session), sessionId: session.sessionId };
    } catch (error) {
      if (error instanceof Refusal && error.status === 403) {
        throw refuse('invalid_token', error.message);
      }
      throw error;
    }
  };
}

/** The head of the response as text, because the shared bytes are written to the socket without the response object. */
function headOf(reply: FastifyReply, chunked: boolean): string {
  const headers: Record<string, unknown> = {
    ...reply.getHeaders(),
    ...HEADERS,
    date: new Date().toUTCString(),
    ...(chunked ? { 'transfer-encoding': 'chunked' } : { connection: 'close' }),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  return `HTTP/1.1 200 ${STATUS_CODES[200]}\r\n${lines.join('')}\r\n`;
}
