/**
 * Requests made from the OpenAPI document, valid and broken in one place (contract "Fuzzed"). A thousand here; `npm run fuzz` sends
 * any number. The seed is printed with a failure: `npm run fuzz -- --seed S --requests N` sends the same requests again.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDescription } from '../support/openapi.ts';
import { createJudge, type FuzzAnswer } from './judge.ts';
import { type FuzzRequest, listOperations, requestArbitrary } from './request-arbitrary.ts';
import type { Schema } from './schema-arbitrary.ts';
import { type FuzzWorld, openFuzzWorld } from './world.ts';

const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 1_000);
const SEED = Number(process.env['FUZZ_SEED'] ?? Math.trunc(Math.random() * 2 ** 31));
const SIDE_BY_SIDE = 8;
const MOST_SHOWN = 20;

let world: FuzzWorld;
beforeAll(async () => {
  world = await openFuzzWorld();
}, 120_000);
afterAll(() => world.close());

test(
  `requests from the document get documented answers (${REQUESTS} requests, seed ${SEED})`,
  async () => {
    const { live, pools, foreign } = world;
    const document = await readDescription(live);
    const resolve = (reference: string): Schema => document.components.schemas[reference.split('/').at(-1) ?? ''];
    const operations = listOperations(document).filter(({ path }) => !path.includes('/stream/'));
    expect(operations.length).toBeGreaterThan(40);
    const judge = createJudge(document, foreign);
    const requests = fc.sample(requestArbitrary(operations, resolve, pools, world.credentials), {
      seed: SEED,
      numRuns: REQUESTS,
    });
    const wrong = new Map<string, string>();
    const statuses = new Map<number, number>();
    const queue = requests.entries();
    await Promise.all(
      Array.from({ length: SIDE_BY_SIDE }, async () => {
        for (const [index, request] of queue) {
          const answer = await send(live.url, request);
          if (answer === null) {
            continue;
          }
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
          const fault = judge(request, answer);
          if (fault !== null) {
            wrong.set(describe(request, answer, fault), `request ${index}`);
          }
        }
      }),
    );
    console.log(
      `seed ${SEED}: ${[...statuses]
        .toSorted(([a], [b]) => a - b)
        .map(([status, count]) => `${status} ${count}`)
        .join(', ')}`,
    );
    expect([...wrong.keys()].slice(0, MOST_SHOWN), `seed ${SEED}, ${wrong.size} wrong`).toEqual([]);
    expect(statuses.get(200) ?? 0).toBeGreaterThan(REQUESTS / 20);
    expect(statuses.get(400) ?? 0).toBeGreaterThan(REQUESTS / 20);
  },
  Math.max(240_000, REQUESTS * 100),
);

/** @returns null where the request cannot be sent at all: a client of HTTP refuses it. */
async function send(base: string, { method, path, query, headers, body }: FuzzRequest): Promise<FuzzAnswer | null> {
  const search = new URLSearchParams(query.map(([name, value]) => [name, value.toWellFormed()]));
  const hasBody = body !== undefined && method !== 'GET';
  try {
    const response = await fetch(`${base}${path}${query.length === 0 ? '' : `?${search}`}`, {
      method,
      headers: { ...(hasBody && { 'content-type': 'application/json' }), ...headers },
      ...(hasBody && { body }),
      redirect: 'manual',
    });
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  } catch (error) {
    if (error instanceof TypeError) {
      return null;
    }
    throw error;
  }
}

function describe(
  { operation, method, broken, body, path, query }: FuzzRequest,
  answer: FuzzAnswer,
  fault: string,
): string {
  const asked = `${method} ${path}${query.length === 0 ? '' : `?${new URLSearchParams(query.map((pair) => [...pair]))}`}`;
  return `${operation.method} ${operation.path} ${answer.status} ${fault}\n  broken: ${broken}\n  ${asked.slice(0, 300)}\n  ${body?.slice(0, 300) ?? ''}\n  ${answer.text.slice(0, 300)}`;
}
