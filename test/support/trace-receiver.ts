/** A collector of the test: receives OTLP over HTTP as JSON, and keeps the spans. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedSpan {
  readonly service: string;
  /** The attributes of the process that sent it. */
  readonly resource: Readonly<Record<string, unknown>>;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly links?: readonly { readonly traceId: string }[];
  readonly status?: { readonly code?: number };
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
}

export interface TraceReceiver {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  readonly paths: Set<string>;
  /** Of each request. */
  readonly headers: IncomingHttpHeaders[];
  close(): Promise<void>;
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: ReceivedSpan['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<ReceivedSpan, 'service' | 'resource'>[] }[];
  }[];
}

export async function startTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  const paths = new Set<string>();
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      paths.add(`${request.method} ${request.url}`);
      headers.push(request.headers);
      const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Export;
      for (const { resource: sender, scopeSpans } of resourceSpans) {
        const resource = Object.fromEntries(sender.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
        const service = String(resource['service.name']);
        spans.push(...scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service, resource }))));
      }
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    paths,
    headers,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
