/**
 * Sends spans to an OpenTelemetry collector, as OTLP over HTTP. The packages are loaded only here, and only if a collector is configured. A
 * collector that does not respond costs spans and nothing else: they are queued, bounded, and dropped.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Context, Link, Span as OtelSpan, SpanContext } from '@opentelemetry/api';
import { type Environment, projectRoot } from './environment.ts';
import { type Span, type SpanOptions, setTracing, type Tracing } from './tracing.ts';

export interface OpenTracing {
  /** Sends the queued spans, within a few seconds. */
  close(): Promise<void>;
}

const EXPORT_MS = 5_000;
const SEND_EVERY_MS = 1_000;
const QUEUED_SPANS = 8_192;
let isOpen = false;

/** @param service the name of this kind of process, unless the environment gives another one */
export async function openTracing(
  { tracesUrl, resourceAttributes, production }: Pick<Environment, 'tracesUrl' | 'resourceAttributes' | 'production'>,
  service: string,
): Promise<OpenTracing> {
  if (tracesUrl === undefined || isOpen) {
    return { close: async () => {} };
  }
  isOpen = true;
  const [api, sdk, { OTLPTraceExporter }, { AsyncLocalStorageContextManager }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/resources'),
    ]);
  const exporter = new OTLPTraceExporter({ url: tracesUrl, timeoutMillis: EXPORT_MS });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      'service.name': service,
      'service.version': readVersion(),
      'service.instance.id': randomUUID(),
      'deployment.environment.name': production ? 'production' : 'development',
      'host.name': hostname(),
      'process.pid': process.pid,
      ...resourceAttributes,
    }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({ exporter, maxQueueSize: QUEUED_SPANS, scheduledDelayMillis: SEND_EVERY_MS }),
    ],
  });
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const tracer = provider.getTracer('inlay');
  const kinds = { server: api.SpanKind.SERVER, client: api.SpanKind.CLIENT, internal: api.SpanKind.INTERNAL };

  function contextOf(parent: string | undefined): Context {
    const remote = parent === undefined ? undefined : readTraceparent(parent);
    return remote === undefined ? api.context.active() : api.trace.setSpanContext(api.ROOT_CONTEXT, remote);
  }

  function start(name: string, { kind = 'internal', facts = {}, parent, links = [] }: SpanOptions): Span {
    const within = contextOf(parent);
    const span = tracer.startSpan(
      name,
      { kind: kinds[kind], attributes: { ...facts }, links: links.flatMap(linkTo) },
      within,
    );
    return wrap(span, api.trace.setSpan(within, span));
  }

  function wrap(span: OtelSpan, inside: Context): Span {
    let ended = false;
    return {
      traceparent: writeTraceparent(span.spanContext()),
      set(facts) {
        span.setAttributes({ ...facts });
      },
      link(traceparent) {
        span.addLinks(linkTo(traceparent));
      },
      run: (work) => api.context.with(inside, work),
      end(failure) {
        if (ended) {
          return;
        }
        ended = true;
        if (failure !== undefined) {
          const type = failure instanceof Error ? failure.name : 'Error';
          span.setStatus({ code: api.SpanStatusCode.ERROR, message: type });
        }
        span.end();
      },
    };
  }

  const tracing: Tracing = {
    start,
    current() {
      const active = api.trace.getSpanContext(api.context.active());
      return active === undefined ? undefined : writeTraceparent(active);
    },
  };
  setTracing(tracing);
  return {
    async close() {
      setTracing(undefined);
      isOpen = false;
      await provider.shutdown().catch(() => {});
      api.context.disable();
    },
  };
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string };
  return version;
}

function linkTo(traceparent: string): Link[] {
  const context = readTraceparent(traceparent);
  return context === undefined ? [] : [{ context }];
}

function readTraceparent(text: string): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = text.split('-');
  return flags === '' ? undefined : { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

function writeTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
