/**
 * The foundation of the demo on a development machine: its tenants, made on the first start, the pages that may show it, and the gate of
 * its routes. Two tenants have keys, which are shown once and kept in the data folder. Only `inlay up` has a demo, and not in production.
 */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import type { ApiContext } from '../../context.ts';
import { refuse } from '../../core/errors.ts';
import type { Mode } from '../../core/terms.ts';
import { connect, type Sql } from '../../db/client.ts';
import { issueKey } from '../../operators/keys.ts';
import type { Operator } from '../../operators/operator.ts';
import { changeOperator, createOperator, findOperator } from '../../operators/operators.ts';
import type { Api, RouteContext, Routes } from '../http/api.ts';
import { isFromThisMachine } from '../http/requests.ts';

interface DemoKey {
  readonly slug: string;
  readonly mode: Mode;
  readonly apiKey: string;
}

interface DemoTenant {
  readonly slug: string;
  readonly mode: Mode;
  readonly name: string;
  readonly hasKey: boolean;
}

/** The sandbox tenant whose key a newcomer tries. */
export const DEMO_SLUG = 'demo';
/** The sandbox tenant of the demo's visitors, so that their orders are not in the books of another tenant. */
const VISITORS_SLUG = 'demo-visitors';

const TENANTS: readonly DemoTenant[] = [
  { slug: DEMO_SLUG, mode: 'sandbox', name: 'Demo', hasKey: true },
  { slug: 'demo-live', mode: 'live', name: 'Demo (live)', hasKey: true },
  { slug: VISITORS_SLUG, mode: 'sandbox', name: 'Demo (visitors)', hasKey: false },
];
const PLATFORM_FEE_BPS = 200;

/**
 * Creates the tenants that are missing, and registers the pages of the demo with those that show it.
 * @param adminUrl address of the database for the role that may create operators and keys; the service's role may not
 * @param dataDir folder that keeps the keys
 * @param port port of the API, whose pages show the demo
 * @returns the keys created by this call; none if the tenants exist already
 */
export async function createDemoTenants(adminUrl: string, dataDir: string, port: number): Promise<DemoKey[]> {
  const sql = connect(adminUrl, { max: 1, applicationName: 'inlay-demo-tenants' });
  try {
    const made = await ensureDemoTenants(sql, dataDir);
    for (const slug of [DEMO_SLUG, VISITORS_SLUG]) {
      const operator = await findOperator(sql, slug);
      if (operator?.mode === 'sandbox') {
        await registerDemoPages(sql, operator, port);
      }
    }
    return made;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function ensureDemoTenants(sql: Sql, dataDir: string): Promise<DemoKey[]> {
  const made: DemoKey[] = [];
  for (const { slug, mode, name, hasKey } of TENANTS) {
    if ((await findOperator(sql, slug)) !== undefined) {
      continue;
    }
    const operator = await createOperator(sql, {
      slug,
      mode,
      name,
      platformFeeBps: PLATFORM_FEE_BPS,
      // Also in the sandbox, so that the rehearsal of a live order ends (contract 32.18).
      executionConfirmed: true,
    });
    if (hasKey) {
      const { apiKey } = await issueKey(sql, operator, { label: 'made on first start' });
      made.push({ slug, mode, apiKey });
    }
  }
  if (made.length > 0) {
    keep(dataDir, made);
  }
  return made;
}

/** @returns the keys that were kept on the first start; none if the file does not exist */
export function readDemoKeys(dataDir: string): DemoKey[] {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'demo-keys.json'), 'utf8')) as DemoKey[];
  } catch {
    return [];
  }
}

function keep(dataDir: string, made: readonly DemoKey[]): void {
  const path = join(dataDir, 'demo-keys.json');
  const others = readDemoKeys(dataDir).filter(({ slug }) => !made.some((key) => key.slug === slug));
  writeFileSync(path, `${JSON.stringify([...others, ...made], null, 2)}\n`, { mode: 0o600 });
  chmodSync(path, 0o600);
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1'] as const;

export interface DemoPages {
  /** Origin of the operator's page. */
  readonly page: string;
  /** Origin of the frame in it. */
  readonly frame: string;
  readonly port: number;
}

/**
 * The origin of the opened page and the origin of the frame. The frame has the other loopback name, so that the two are
 * cross-origin like an operator's site and this service. Both have the port on which the API listens.
 * @returns null if the request does not come from this machine, or its `Host` is not a loopback name with this port
 */
export function demoPages(request: FastifyRequest): DemoPages | null {
  const { host, server } = request;
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : null;
  const name = LOOPBACK_NAMES.find((one) => host === (port === 80 ? one : `${one}:${port}`));
  if (name === undefined || port === null || !isFromThisMachine(request)) {
    return null;
  }
  return { page: originOf(name, port), frame: originOf(name === 'localhost' ? '127.0.0.1' : 'localhost', port), port };
}

const originOf = (name: string, port: number) => new URL(`http://${name}:${port}`).origin;

/** The tenant of the demo's visitors, or the tenant `demo` if `up` has not made it. @returns undefined without either */
export async function findDemoOperator(sql: Sql): Promise<Operator | undefined> {
  const operator = (await findOperator(sql, VISITORS_SLUG)) ?? (await findOperator(sql, DEMO_SLUG));
  return operator?.mode === 'sandbox' ? operator : undefined;
}

type DemoGate = (request: FastifyRequest) => Promise<Operator>;

/** Registers routes if there is a demo (`inlay up`). Each of them must call `admit` first. */
export function forDemo(register: (app: Api, context: RouteContext, admit: DemoGate) => void): Routes {
  return (app, context) => {
    if (context.hasDemo) {
      register(app, context, createDemoGate(context));
    }
  };
}

/**
 * Admits only pages of this machine, and only while the tenant of the demo is active.
 * @returns a function that admits a request and returns the tenant
 * @throws origin_not_allowed, not_found, operator_suspended
 */
function createDemoGate({ sql }: ApiContext): DemoGate {
  return async (request) => {
    const { origin } = request.headers;
    const pages = demoPages(request);
    if (pages === null || (origin !== undefined && origin !== pages.page && origin !== pages.frame)) {
      throw refuse('origin_not_allowed');
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

/** Origins of the page that the code sample makes (`src/frame/demo/sample.tsx`). */
const SAMPLE_PAGES = ['http://127.0.0.1:3000', 'http://localhost:3000'];

/**
 * Registers the origins of the demo's pages. Those of pages on other ports stay registered while there is room. `up` does
 * this with the role that may change operators. A process with another role has a demo only if `up` has done it.
 */
export async function registerDemoPages(sql: Sql, { slug, frameOrigins }: Operator, port: number): Promise<void> {
  const wanted = [...LOOPBACK_NAMES.toReversed().map((name) => originOf(name, port)), ...SAMPLE_PAGES];
  if (!wanted.every((origin) => frameOrigins.includes(origin))) {
    await changeOperator(sql, slug, { frameOrigins: withOrigins(frameOrigins, wanted) });
  }
}

/** An operator has at most this many (operators/operator.ts). */
const MOST_ORIGINS = 10;
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::|$)/;

/**
 * Adds origins to the registered ones. If there are then more than ten, the oldest loopback origins are dropped first,
 * because the port of a development machine may change at each start. Other origins follow, oldest first.
 * @param registered oldest first
 * @param wanted at most ten; all of them are in the result, at its end
 */
export function withOrigins(registered: readonly string[], wanted: readonly string[]): string[] {
  const added = [...new Set(wanted)];
  const others = registered.filter((origin) => !added.includes(origin));
  const surplus = Math.max(0, others.length + added.length - MOST_ORIGINS);
  const dropped = new Set(
    others.toSorted((a, b) => Number(LOOPBACK.test(b)) - Number(LOOPBACK.test(a))).slice(0, surplus),
  );
  return [...others.filter((origin) => !dropped.has(origin)), ...added];
}
