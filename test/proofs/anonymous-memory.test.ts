/**
 * A client without a key sends what one address may send in ten minutes, each request different so that no cache answers
 * it, to an API process with a small heap. The process must neither end nor grow.
 *
 * The requests come as fast as they are answered. ANONYMOUS_MINUTES=10 sends them at the pace of the default budget instead,
 * and prints the memory after each minute.
 */
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seed } from '../catalogue/seed.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type Program, startInlay } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { timePasses, until } from '../support/until.ts';

const MINUTES = Number(process.env['ANONYMOUS_MINUTES'] ?? 0);
/** Of one address in a minute, by default (`INLAY_ANONYMOUS_RATE`). */
const BUDGET = 3_000;
const HEAP_MB = 192;
/** After the first minute: a collection that is late, and what the caches hold outside of the heap. */
const GROWTH_MB = 80;
const CLIENTS = 8;
const EVENTS = 100;
const LETTERS = 'abcdefghijklmnop'.repeat(900);
const LOCALES = ['en', 'es', 'pt', 'hr'];

let database: TestDatabase;
let service: Program;
let url = '';

beforeAll(async () => {
  database = await createTestDatabase();
  await seed(
    database.sql,
    Array.from({ length: EVENTS }, (_, number) => ({ id: `e${number}`, title: `Event ${number} of a long list` })),
  );
  service = startInlay(['serve', '--json'], {
    env: {
      DATABASE_URL: database.url,
      DATABASE_OWNER_URL: database.ownerUrl,
      INLAY_DATA_DIR: temporaryFolder('anonymous-memory'),
      INLAY_SECRET: 'a secret that only tests know',
      PORT: '0',
      LOG_LEVEL: 'error',
      NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
      ...(MINUTES === 0 && { INLAY_ANONYMOUS_RATE: String(BUDGET * 1_000) }),
    },
  });
  await service.prints(/"url"/);
  url = (JSON.parse(service.output().stdout) as { url: string }).url;
  await until(async () => expect((await ask('/api/events?limit=1')).status).toBe(200));
});
afterAll(async () => {
  service.child.kill('SIGKILL');
  await service.ended;
  await database.close();
});

const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });

function ask(path: string): Promise<{ status: number }> {
  return new Promise((resolve, reject) => {
    get(url + path, { agent }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0 }));
    }).on('error', reject);
  });
}

/** Most are a league that no event has: nothing else is as long. */
function pathOf(number: number): { readonly path: string; readonly statuses: readonly number[] } {
  const bound = new Date(number * 1_000).toISOString();
  const locale = LOCALES[number % LOCALES.length];
  const list = (query: string) => ({ path: `/api/events?${query}`, statuses: [200] });
  switch (number % 12) {
    case 1:
      return list(`limit=1&closesAfter=${bound}`);
    case 3:
      return list(`limit=100&locale=${locale}&sort=volume&closesAfter=${bound}`);
    case 5:
      return list(`limit=5&search=event+${number}+list`);
    case 7:
      return { path: `/api/v1/images/evt_e${number % EVENTS}`, statuses: MINUTES > 0 ? [200] : [200, 429] };
    case 9:
      return { path: `/api/markets/quotes?ids=ctr_e${number % EVENTS},ctr_${number}`, statuses: [200] };
    case 11:
      return { path: `/embed/predictions?operator=nobody-${number}`, statuses: [404, 503] };
    default:
      return list(`limit=1&league=${number}${LETTERS}`);
  }
}

/** What the process has for itself, without mapped files, in megabytes. */
function memory(): number {
  const status = readFileSync(`/proc/${service.child.pid}/status`, 'utf8');
  return Math.round(Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1]) / 1_024);
}

test(
  'ten minutes of one address leave an API process with a small heap alive, and it does not grow',
  async () => {
    const requests = BUDGET * (MINUTES === 0 ? 10 : MINUTES);
    const startedAt = performance.now();
    const figures: number[] = [];
    const failures: string[] = [];
    let next = 0;
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (next < requests && failures.length === 0) {
        const number = next;
        next += 1;
        if (MINUTES > 0) {
          // a little below the budget, which counts by the minutes of the clock
          await timePasses(Math.max(0, startedAt + (number / BUDGET) * 61_000 - performance.now()));
        }
        const { path, statuses } = pathOf(number);
        const status = await ask(path).then(
          (answer) => answer.status,
          (error: unknown) => String(error),
        );
        if (!statuses.includes(status as number)) {
          failures.push(`${number} ${path.slice(0, 80)}: ${status}`);
        }
        if ((number + 1) % BUDGET === 0) {
          figures.push(memory());
        }
      }
    });
    await Promise.all(clients);
    if (MINUTES > 0) {
      process.stderr.write(`${requests} requests; MB after each minute: ${figures.join(', ')}\n`);
    }
    expect([failures, service.output().stderr]).toEqual([[], '']);
    expect((await ask('/api/health')).status).toBe(200);
    expect(Math.max(...figures) - (figures[0] ?? 0)).toBeLessThan(GROWTH_MB);
  },
  120_000 + MINUTES * 62_000,
);
