/** What a process says of itself in traces, where it sends them, and how it names the spans of its statements. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectRoot, readEnvironment } from '../../src/core/environment.ts';
import { openTracing } from '../../src/core/open-tracing.ts';
import { traced } from '../../src/core/tracing.ts';
import { connect, type Sql } from '../../src/db/client.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTraceReceiver, type TraceReceiver } from '../support/trace-receiver.ts';

let collector: TraceReceiver;

beforeEach(async () => {
  collector = await startTraceReceiver();
  return () => collector.close();
});
// the library reads the headers itself
afterEach(() => {
  delete process.env['OTEL_EXPORTER_OTLP_HEADERS'];
});

/** Does the work in a span, with tracing as these variables ask for it, and waits until all spans have arrived. */
async function trace(variables: Readonly<Record<string, string>>, work: () => Promise<unknown> = async () => {}) {
  const tracing = await openTracing(readEnvironment(variables), 'inlay-test');
  await traced('work', {}, work);
  await tracing.close();
  return collector.spans;
}

// contract 41.15
test('each process says its version, its environment and an id of its own', async () => {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  const variables = {
    INLAY_OTLP_URL: collector.url,
    NODE_ENV: 'production',
    INLAY_SECRET: randomBytes(32).toString('hex'),
  };
  await trace(variables);
  await trace(variables);
  const [first, second] = collector.spans;
  expect(first?.resource).toMatchObject({
    'service.name': 'inlay-test',
    'service.version': version,
    'deployment.environment.name': 'production',
    'process.pid': process.pid,
  });
  const ids = [first, second].map((span) => span?.resource['service.instance.id']);
  expect(new Set(ids).size).toBe(2);
  expect(ids).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
});

// contract 41.15
test('the standard variables give the collector and the attributes, and INLAY_OTLP_URL wins over their address', async () => {
  process.env['OTEL_EXPORTER_OTLP_HEADERS'] = 'x-team=markets';
  const attributes = 'service.namespace=markets, deployment.environment.name=staging%2C%20eu';
  const standard = { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`, OTEL_RESOURCE_ATTRIBUTES: attributes };
  const [span] = await trace({ ...standard, OTEL_SERVICE_NAME: 'inlay-blue' });
  expect(span?.resource).toMatchObject({
    'service.name': 'inlay-blue',
    'service.namespace': 'markets',
    'deployment.environment.name': 'staging, eu',
  });
  expect([...collector.paths]).toEqual(['POST /v1/traces']);
  expect(collector.headers.at(-1)).toMatchObject({ 'x-team': 'markets' });

  await trace({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/own`,
  });
  expect([...collector.paths]).toEqual(['POST /v1/traces', 'POST /own']);

  const before = collector.spans.length;
  await trace({ ...standard, OTEL_SDK_DISABLED: 'true' });
  await trace({ OTEL_RESOURCE_ATTRIBUTES: attributes });
  expect(collector.spans.length).toBe(before);
  await trace({ ...standard, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', INLAY_OTLP_URL: collector.url });
  expect(collector.spans.length).toBe(before + 1);
});

// contract 41.15
test.each([
  [{ OTEL_RESOURCE_ATTRIBUTES: 'service.namespace' }, 'OTEL_RESOURCE_ATTRIBUTES: service.namespace is not a pair'],
  [{ OTEL_RESOURCE_ATTRIBUTES: 'a=1,team=%E0%A4%A' }, 'OTEL_RESOURCE_ATTRIBUTES: team=%E0%A4%A is not a pair'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }, 'OTEL_EXPORTER_OTLP_ENDPOINT: not an address'],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'collector' }, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: not an address'],
])('%s is refused in a line that names the variable', (variables, line) => {
  expect(() => readEnvironment(variables)).toThrow(line);
});

test('the span of a statement is named by its verb and what it is about', async () => {
  const database = await createTestDatabase();
  let sql: Sql | undefined;
  const statements = async () => {
    sql = connect(database.url, { max: 1, applicationName: 'inlay-test' });
    const many = ['a', 'b'];
    await sql`select position_id from positions where operator_id = ${'op'} and extract(epoch from now()) > 0 for update`;
    await sql`select (select count(*) from orders) as orders, extract(epoch from now() - at) from (select now() as at) x`;
    await sql`
      -- from a comment
      insert into rate_counters as counter (subject, window_start, count)
      select given.subject, now(), 1 from unnest(${many}::text[]) as given (subject)
      on conflict (subject, window_start) do update set count = counter.count + 1`;
    await sql`with old (id) as (select operator_id from operators where slug is distinct from ${'from nobody'})
      update customers c set observed_at = now() from old where c.operator_id = old.id`;
    await sql`delete from rate_counters where subject = ${'a'}`;
    await sql`select * from waiting_events()`;
    await sql`select pg_notify('nobody', '')`;
  };
  await trace({ INLAY_OTLP_URL: collector.url }, statements);
  await sql?.end();
  await database.close();
  const made = collector.spans.filter(({ name }) => name !== 'work');
  expect(made.map(({ name }) => name)).toEqual([
    'SELECT positions',
    'SELECT orders',
    'INSERT rate_counters',
    'UPDATE customers',
    'DELETE rate_counters',
    'SELECT waiting_events',
    'SELECT pg_notify',
  ]);
  expect(made.map(({ kind }) => kind)).toEqual(made.map(() => 3));
  expect(JSON.stringify(made)).not.toContain('from nobody');
});
