/**
 * The document of the embed frame (contract chapter 31): which pages may frame it, and its first appearance. It does not depend on the
 * customer.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../core/errors.ts';
import { readWebOrigin } from '../../core/web-origin.ts';
import { refuseTokenInQuery } from '../../embed/authenticate.ts';
import type { Operator } from '../../operators/operator.ts';
import { createSlugLookup } from '../../operators/operators.ts';
import { readPresentation, resolvePresentation } from '../../wire/presentation.ts';
import type { Routes } from '../http/api.ts';
import { acceptAsSent, queryText } from '../http/requests.ts';
import {
  findAssets,
  firstWords,
  framePolicy,
  newNonce,
  pagePolicy,
  readFirstStyle,
  renderDocument,
  renderNotice,
  serveAssets,
} from '../pages.ts';

const SLUG = /^[a-z0-9-]{1,63}$/;
const EVENT = /^[A-Za-z0-9_-]{1,200}$/;

const UNKNOWN = 'The address of this frame must name an operator of this service: ?operator=<slug>.';
const SUSPENDED = 'Prediction markets are not available here at the moment.';
const UNBUILT = 'The browser code of the frame was not built. Run "npm run build".';

export const frameRoutes: Routes = (app, { sql }) => {
  serveAssets(app);
  const findOperator = createSlugLookup(sql);
  for (const url of ['/embed/predictions', '/embed/predictions/:event']) {
    app.route({
      method: 'GET',
      url,
      config: { auth: 'none' },
      schema: { hide: true },
      validatorCompiler: acceptAsSent,
      handler: async (request, reply) => {
        reply.header('cache-control', 'no-store');
        const query = queryText(request);
        if (carriesToken(query)) {
          return reply
            .code(400)
            .type('text/plain; charset=utf-8')
            .send(
              'invalid_request: a token is never taken from an address. Send it to the frame as service.session.\n',
            );
        }
        const values = Object.fromEntries(new URLSearchParams(query));
        const slug = values['operator'] ?? '';
        const operator = SLUG.test(slug) ? await findOperator(slug) : undefined;
        if (operator === undefined) {
          return sendNotice(reply, slug === '' ? 400 : 404, [], 'Unknown operator', UNKNOWN);
        }
        if (operator.status !== 'active') {
          return sendNotice(reply, 403, acceptableOrigins(operator), 'Not available', SUSPENDED);
        }
        return sendFrame(request, reply, operator, values);
      },
    });
  }
};

function sendFrame(
  request: FastifyRequest,
  reply: FastifyReply,
  { slug, name, mode: kind, presentation, ...operator }: Operator,
  values: Readonly<Record<string, string>>,
): FastifyReply {
  const assets = findAssets('main.tsx');
  const frameOrigins = acceptableOrigins(operator);
  if (assets === undefined) {
    return sendNotice(reply, 503, frameOrigins, 'Not built', UNBUILT);
  }
  const { event = '' } = request.params as { event?: string };
  const { mode, radius, density, sizing, locale } = resolvePresentation([values, presentation]);
  const nonce = newNonce();
  return reply
    .header('content-security-policy', framePolicy(nonce, frameOrigins))
    .header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()')
    .type('text/html; charset=utf-8')
    .send(
      renderDocument({
        title: 'Prediction markets',
        language: locale,
        nonce,
        assets,
        attributes: { 'data-mode': mode, 'data-radius': radius, 'data-density': density, 'data-sizing': sizing },
        data: {
          operator: { slug, name, mode: kind },
          origins: frameOrigins,
          url: readPresentation(values),
          setting: readPresentation(presentation),
          eventId: EVENT.test(event) ? event : null,
        },
        firstView: { words: firstWords(locale, name), style: readFirstStyle() },
        noScript: 'This page needs JavaScript.',
      }),
    );
}

/** Leaves out origins that were registered under an earlier rule and would not be accepted today. */
function acceptableOrigins({ frameOrigins }: Pick<Operator, 'frameOrigins'>): string[] {
  return frameOrigins.flatMap((origin) => readWebOrigin(origin) ?? []);
}

function sendNotice(
  reply: FastifyReply,
  status: number,
  origins: readonly string[],
  title: string,
  text: string,
): FastifyReply {
  const nonce = newNonce();
  const policy = origins.length === 0 ? pagePolicy(nonce) : framePolicy(nonce, origins);
  return reply
    .code(status)
    .header('content-security-policy', policy)
    .type('text/html; charset=utf-8')
    .send(renderNotice(nonce, title, text));
}

function carriesToken(query: string): boolean {
  try {
    refuseTokenInQuery(query);
    return false;
  } catch (error) {
    if (error instanceof Refusal) {
      return true;
    }
    throw error;
  }
}
