/** A worker serves its metrics on a port of its own: those of its process, and those that every process measures in the database. */
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Environment } from '../../src/core/environment.ts';
import { startWorker } from '../../src/jobs/run.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
/** Without venues, which a test of metrics does not need. */
let environment: Environment;

beforeAll(async () => {
  world = await openWorld({ environment: { INLAY_METRICS_HOST: '127.0.0.1' } });
  environment = { ...world.context.environment, venues: [] };
});
afterAll(() => world.close());

const namesIn = (text: string) => [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);

// contract 41.15
test('a worker has the metrics of its process, of work and of money, and nothing else at that port', async () => {
  const port = await freePort();
  const worker = await startWorker({ ...environment, workerMetricsPort: port }, world.database.url);
  const url = `http://127.0.0.1:${port}`;
  const answer = await fetch(`${url}/metrics`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  // a scrape waits one second for the database, which may be busy with the start of the worker
  const text = await until(async () => {
    const scraped = await (await fetch(`${url}/metrics`)).text();
    expect(scraped).toMatch(/^inlay_work_waiting\{work="audit"\} \d/m);
    expect(scraped).toMatch(/^inlay_report_findings\{severity="critical"\} \d/m);
    return scraped;
  });
  expect(text).toMatch(/^process_resident_memory_bytes \d/m);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
  // the same code, and so the same names, as those of the API, which adds its own
  const api = namesIn((await world.request('GET', '/metrics', { key: null })).text);
  expect(namesIn(text).filter((name) => !api.includes(name))).toEqual([]);
  expect(api.length).toBeGreaterThan(namesIn(text).length);

  const open = await fetch(`${url}/metrics`, { headers: { accept: 'application/openmetrics-text' } });
  expect(open.headers.get('content-type')).toContain('application/openmetrics-text');
  expect((await open.text()).endsWith('\n# EOF\n')).toBe(true);
  for (const path of ['/', '/api/health', '/metrics/more']) {
    expect([path, (await fetch(url + path)).status]).toEqual([path, 404]);
  }
  expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404);
  await worker.close();
  await expect(fetch(`${url}/metrics`)).rejects.toThrow();
});

test('a port that is taken is one line that names the variable, and the worker does not start', async () => {
  const taken = createServer();
  const port = await new Promise<number>((resolve) => {
    taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port));
  });
  await expect(startWorker({ ...environment, workerMetricsPort: port }, world.database.url)).rejects.toThrow(
    `INLAY_WORKER_METRICS_PORT: cannot listen on ${port} of 127.0.0.1 (EADDRINUSE)`,
  );
  await new Promise((resolve) => taken.close(resolve));
});
