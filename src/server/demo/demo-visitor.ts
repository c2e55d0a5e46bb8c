/**
 * The tenant and the pages of the demo: a sandbox tenant, and pages opened on this machine. It protects the demo's routes on a
 * development machine; in production those routes do not exist.
 */

import type { FastifyRequest } from 'fastify';
import type { ApiContext } from '../../context.ts';
import { refuse } from '../../core/errors.ts';
import type { Sql } from '../../db/client.ts';
import type { Operator } from '../../operators/operator.ts';
import { changeOperator, findOperator } from '../../operators/operators.ts';
import type { Api, RouteContext, Routes } from '../http/api.ts';
import { withOrigins } from './demo-origins.ts';

/** The sandbox tenant whose key a newcomer tries. */
export const DEMO_SLUG = 'demo';
/** The sandbox tenant of the demo's visitors, so that they are in nobody else's books. */
export const VISITORS_SLUG = 'demo-visitors';
const CALLS_A_MINUTE = 300;
const LOOPBACK_NAMES = ['localhost', '127.0.0.1'] as const;

export interface DemoPages {
  /** Origin of the operator's page. */
  readonly page: string;
  /** Origin of the frame in it. */
  readonly frame: string;
  readonly port: number;
}

/**
 * Whether there is a demo: only on a development machine whose API listens on loopback only. A service that other
 * machines can reach has no routes that trade without a key.
 */
export function hasDemo({ environment: { production, host } }: ApiContext): boolean {
  return !production && ['127.0.0.1', 'localhost', '::1'].includes(host);
}

/**
 * The origin of the opened page and the origin of the frame: the other loopback name with the same port, so that they
 * are cross-origin like an operator's site and this service. The port is the one that the API listens on, whatever the
 * request's Host header is. Null if the request did not come over loopback.
 */
export function demoPages({ host, server }: FastifyRequest): DemoPages | null {
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : null;
  const name = LOOPBACK_NAMES.find((one) => host === (port === 80 ? one : `${one}:${port}`));
  if (name === undefined || port === null) {
    return null;
  }
  return { page: originOf(name, port), frame: originOf(name === 'localhost' ? '127.0.0.1' : 'localhost', port), port };
}

const originOf = (name: string, port: number) => new URL(`http://${name}:${port}`).origin;

/** The tenant of the demo's visitors; where `up` has not made it, the tenant `demo`. */
export async function findDemoOperator(sql: Sql): Promise<Operator | undefined> {
  const operator = (await findOperator(sql, VISITORS_SLUG)) ?? (await findOperator(sql, DEMO_SLUG));
  return operator?.mode === 'sandbox' ? operator : undefined;
}

type DemoGate = (request: FastifyRequest) => Promise<Operator>;

/** Routes that exist only where the demo does; each of them calls `admit` first. */
export function forDemo(register: (app: Api, context: RouteContext, admit: DemoGate) => void): Routes {
  return (app, context) => {
    if (hasDemo(context)) {
      register(app, context, createDemoGate(context));
    }
  };
}

/**
 * Allows only the demo's own tenant, only pages of this machine, and only a limited number of requests.
 * @returns a function that admits a request
 * @throws origin_not_allowed, rate_limited, not_found, operator_suspended
 */
function createDemoGate({ sql, counters }: ApiContext): DemoGate {
  return async (request) => {
    const { origin } = request.headers;
    const pages = demoPages(request);
    if (pages === null || (origin !== undefined && origin !== pages.page && origin !== pages.frame)) {
      throw refuse('origin_not_allowed');
    }
    const rate = counters.count({ subject: `d:${request.clientAddress}`, limit: CALLS_A_MINUTE });
    if (!rate.allowed) {
      throw refuse('rate_limited', undefined, { retryAfterSeconds: rate.resetSeconds });
    }
    const operator = await findDemoOperator(sql);
    if (operator === undefined) {
      throw refuse('not_found');
    }
    if (operator.status !== 'active') {
      throw refuse('operator_suspended');
    }
    return operator;
  };
}

/** Where the page of the code sample is served (`src/frame/demo/sample-programs.ts`). */
const SAMPLE_PAGES = ['http://127.0.0.1:3000', 'http://localhost:3000'];

/**
 * Registers the origins of the demo's pages. Those of pages on other ports stay registered while there is room. `up` does it with
 * the role that may change operators; a process whose role may not has a demo only where that was done.
 */
export async function registerDemoPages(sql: Sql, { slug, frameOrigins }: Operator, port: number): Promise<void> {
  const wanted = [...LOOPBACK_NAMES.toReversed().map((name) => originOf(name, port)), ...SAMPLE_PAGES];
  if (!wanted.every((origin) => frameOrigins.includes(origin))) {
    await changeOperator(sql, slug, { frameOrigins: withOrigins(frameOrigins, wanted) });
  }
}
