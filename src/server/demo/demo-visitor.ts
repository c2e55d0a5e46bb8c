/**
 * Whom the demo acts for and from where: the sandbox tenant `demo`, and pages opened on this machine. It guards the demo's
 * routes on a development machine; in production those routes do not exist.
 */
import type { FastifyRequest } from 'fastify';
import type { ApiContext } from '../../context.ts';
import { refuse } from '../../core/errors.ts';
import type { Sql } from '../../db/client.ts';
import { changeOperator } from '../../operators/change-operator.ts';
import type { Operator } from '../../operators/operator.ts';
import { findOperator } from '../../operators/operators.ts';
import { createMeter } from '../../operators/rate-counters.ts';

export const DEMO_SLUG = 'demo';
const CALLS_A_MINUTE = 300;
const MOST_ORIGINS = 10;

export interface DemoPages {
  /** Origin of the operator's page. */
  readonly page: string;
  /** Origin that it frames. */
  readonly frame: string;
}

/**
 * Whether there is a demo: on a development machine whose API listens on loopback alone. What can be reached from elsewhere has no
 * routes that trade without a key.
 */
export function hasDemo({ environment: { production, host } }: ApiContext): boolean {
  return !production && ['127.0.0.1', 'localhost', '::1'].includes(host);
}

/**
 * The origin of the page that was opened and the one to frame: the other loopback name of the same port, so that the two are
 * as foreign to each other as an operator's site and this service. The port is the one that the API listens on, whatever the
 * request's Host header says. Null where it was not reached over loopback.
 */
export function demoPages({ host, server }: FastifyRequest): DemoPages | null {
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : null;
  const names = ['localhost', '127.0.0.1'];
  const name = names.find((one) => host === (port === 80 ? one : `${one}:${port}`));
  if (name === undefined || port === null) {
    return null;
  }
  const originOf = (one: string) => new URL(`http://${one}:${port}`).origin;
  return { page: originOf(name), frame: originOf(name === 'localhost' ? '127.0.0.1' : 'localhost') };
}

/**
 * Only the demo's own tenant, only a page of this machine, and not without end.
 * @returns what lets a call through. @throws origin_not_allowed, rate_limited, not_found, operator_suspended
 */
export function createDemoGate({ sql }: ApiContext): (request: FastifyRequest) => Promise<Operator> {
  const meter = createMeter(sql);
  return async (request) => {
    const { origin } = request.headers;
    const pages = demoPages(request);
    if (origin !== undefined && origin !== pages?.page && origin !== pages?.frame) {
      throw refuse('origin_not_allowed');
    }
    const rate = await meter({ subject: `d:${request.ip}`, limit: CALLS_A_MINUTE });
    if (!rate.allowed) {
      throw refuse('rate_limited', undefined, { retryAfterSeconds: rate.resetSeconds });
    }
    const operator = await findOperator(sql, DEMO_SLUG);
    if (operator?.mode !== 'sandbox') {
      throw refuse('not_found');
    }
    if (operator.status !== 'active') {
      throw refuse('operator_suspended');
    }
    return operator;
  };
}

/** The port of a development machine may be another each time: its older loopback origins make room. */
export async function registerDemoPages(sql: Sql, { slug, frameOrigins }: Operator, pages: DemoPages): Promise<void> {
  const wanted = [pages.page, pages.frame];
  if (wanted.every((origin) => frameOrigins.includes(origin))) {
    return;
  }
  const others = frameOrigins.filter((origin) => !/^http:\/\/(?:localhost|127\.0\.0\.1)(?::|$)/.test(origin));
  const kept = others.slice(0, MOST_ORIGINS - wanted.length);
  await changeOperator(sql, slug, { frameOrigins: [...kept, ...wanted] });
}
