/** Traces as a collector receives them: a live order from the partner's request to the venue and its webhook. Real HTTP throughout. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { orderTrace, traceIdOf } from '../../src/core/tracing.ts';
import { startWorker } from '../../src/jobs/run.ts';
import { moveCollateral } from '../../src/ledger/collateral.ts';
import { addEndpoint, createEndpointAdmin } from '../../src/webhooks/endpoints.ts';
import { startApi, type TestApi } from '../embed/service.ts';
import { type ReceivedSpan, startTraceReceiver, type TraceReceiver } from '../support/trace-receiver.ts';
import { until } from '../support/until.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER_SPAN = 'b7ad6b7169203331';

let collector: TraceReceiver;
let api: TestApi;
let folder = '';
let worker: { close(): Promise<void> };
const received: Record<string, unknown>[] = [];
const sink = createServer((request, response) => {
  received.push(request.headers);
  request.resume().on('end', () => response.end());
});

beforeAll(async () => {
  collector = await startTraceReceiver();
  folder = await mkdtemp(join(tmpdir(), 'inlay-tracing-'));
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
  api = await startApi({
    variables: {
      INLAY_OTLP_URL: collector.url,
      INLAY_VENUES: 'paper',
      INLAY_WEBHOOK_ALLOW_LOOPBACK: '1',
      INLAY_SECRET: 'the secret of these tests',
    },
  });
  worker = await startWorker({ ...api.context.environment, dataDir: folder, logLevel: 'silent' }, api.database.url);
}, 60_000);

afterAll(async () => {
  await worker?.close();
  await api?.close();
  sink.closeAllConnections();
  sink.close();
  await collector?.close();
  await rm(folder, { recursive: true, force: true });
});

const factOf = (span: ReceivedSpan | undefined, name: string) =>
  Object.values(span?.attributes.find(({ key }) => key === name)?.value ?? {})[0];

test('a live order is traced from its request to the venue and its webhook, and its log line names them', {
  timeout: 60_000,
  tags: 'proof',
}, async () => {
  const operator = await api.newOperator({ mode: 'live', execution_confirmed: true });
  await moveCollateral(api.sql, operator.operatorId, 'deposit', 100_000n);
  const admin = await createEndpointAdmin(api.context);
  await addEndpoint(admin, operator.operatorId, `http://127.0.0.1:${(sink.address() as AddressInfo).port}/hook`, []);
  const outcomes = async () =>
    ((await operator.call('GET', '/api/v1/events?limit=100')).body.data as { outcomes: Outcome[] }[]).flatMap(
      (event) => event.outcomes,
    );
  interface Outcome {
    readonly id: string;
    readonly tradable: boolean;
    readonly executableYesCents: number;
  }
  const isGood = ({ tradable, executableYesCents }: Outcome) => tradable && executableYesCents > 20;
  const market = (await until(outcomes, (found) => found.some(isGood), 20_000)).find(isGood);
  const headers = { 'x-service-user': 'ana', traceparent: `00-${TRACE}-${CALLER_SPAN}-01` };
  const quote = await operator.call('POST', '/api/v1/quotes', {
    body: { marketId: market?.id, side: 'YES', action: 'buy', stake: 5 },
    headers,
  });
  expect(quote.status, JSON.stringify(quote.body)).toBe(200);
  const order = await operator.call('POST', '/api/v1/orders', {
    body: { quoteId: quote.body.quoteId, clientOrderId: 'traced', reserveReference: 'r-1' },
    headers,
  });
  expect(order.status, JSON.stringify(order.body)).toBe(201);
  const { orderId } = order.body as { orderId: string };
  const ownTrace = traceIdOf(orderTrace(orderId));

  const find = (name: string | RegExp, traceId: string | undefined) =>
    collector.spans.find(
      (span) => span.traceId === traceId && (name instanceof RegExp ? name.test(span.name) : span.name === name),
    );
  await until(
    () => collector.spans.length,
    () => find('webhook', ownTrace) !== undefined && find('POST /api/v1/orders', TRACE) !== undefined,
    20_000,
  );
  expect([...collector.paths]).toEqual(['POST /v1/traces']);

  const request = find('POST /api/v1/orders', TRACE);
  expect(request).toMatchObject({ service: 'inlay-api', parentSpanId: CALLER_SPAN, kind: 2 });
  expect(factOf(request, 'inlay.operator_id')).toBe(operator.operatorId);
  expect(factOf(request, 'inlay.order_id')).toBe(orderId);
  expect(request?.links?.map(({ traceId }) => traceId)).toEqual([ownTrace]);
  const batch = find('record orders', TRACE);
  expect(batch?.parentSpanId).toBe(request?.spanId);
  const statement = collector.spans.find(
    (span) => span.parentSpanId === batch?.spanId && String(factOf(span, 'db.query.text')).includes('place_orders'),
  );
  expect(statement).toBeDefined();
  expect(JSON.stringify(statement)).not.toContain('traced');

  const send = find('send', ownTrace);
  expect(factOf(send, 'inlay.order_id')).toBe(orderId);
  expect(find('paper POST', ownTrace)).toMatchObject({ kind: 3 });
  const hook = find('webhook', ownTrace);
  expect(factOf(hook, 'inlay.event_type')).toMatch(/^order\./);
  expect(received.map(({ traceparent }) => traceIdOf(traceparent))).toContain(ownTrace);

  const line = api.logged
    .map((text) => JSON.parse(text) as Record<string, unknown>)
    .find(({ msg, route, method }) => msg === 'request' && route === '/api/v1/orders' && method === 'POST');
  expect(line).toMatchObject({
    operator: operator.operatorId,
    key: operator.keyId,
    customer: 'ana',
    order: orderId,
    trace: TRACE,
    status: 201,
  });

  const metrics = async (accept: string) => (await fetch(`${api.url}/metrics`, { headers: { accept } })).text();
  const open = await metrics('application/openmetrics-text;version=1.0.0;q=0.6,text/plain;q=0.3');
  const exemplars = open.split('\n').filter((text) => text.includes(`# {trace_id="${TRACE}"} `));
  expect(
    exemplars.some((text) => /^inlay_http_request_duration_seconds_bucket\{.*route="\/api\/v1\/orders"/.test(text)),
  ).toBe(true);
  expect(open.endsWith('\n# EOF\n')).toBe(true);
  const plain = await metrics('text/plain');
  expect(plain).not.toContain(TRACE);
  for (const text of [open, plain]) {
    expect(text).toMatch(/^inlay_http_requests_total\{method="POST",route="\/api\/v1\/orders",status="201"\} 1$/m);
  }
});

test('the packages of OpenTelemetry are loaded by one file, and only when a collector is configured', () => {
  const text = readFileSync(new URL('../../src/core/open-tracing.ts', import.meta.url), 'utf8');
  expect(text).not.toMatch(/^import (?!type)[^;]*@opentelemetry/m);
});
