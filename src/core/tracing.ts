/**
 * Spans of the service's work, as W3C trace contexts. Without the address of a collector there is no tracing: nothing is loaded and
 * every function here returns at once. It decides nothing, and a lost span changes nothing.
 */
import { createHash } from 'node:crypto';

export type SpanKind = 'server' | 'client' | 'internal';
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  readonly kind?: SpanKind;
  readonly facts?: SpanFacts;
  /** A `traceparent` that another process sent or that was stored. The default is the span that runs now. */
  readonly parent?: string;
  /** Other traces that the span belongs to. */
  readonly links?: readonly string[];
}

export interface Span {
  /** The value of the W3C header `traceparent`. */
  readonly traceparent: string;
  set(facts: SpanFacts): void;
  link(traceparent: string): void;
  /** Runs the work so that spans within it become children. */
  run<T>(work: () => T): T;
  /** Only the first call counts. */
  end(failure?: unknown): void;
}

export interface Tracing {
  start(name: string, options: SpanOptions): Span;
  /** The span that runs now. */
  current(): string | undefined;
}

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

let tracing: Tracing | undefined;

/** Called by `openTracing` only. */
export function setTracing(chosen: Tracing | undefined): void {
  tracing = chosen;
}

export function isTracing(): boolean {
  return tracing !== undefined;
}

/** The `traceparent` of the span that runs now. */
export function currentTrace(): string | undefined {
  return tracing?.current();
}

/** Starts a span that ends when `end` is called; undefined without tracing. */
export function startSpan(name: string, options: SpanOptions = {}): Span | undefined {
  return tracing?.start(name, options);
}

/** Runs the work in a span. Without tracing it only runs the work. */
export async function traced<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const span = tracing?.start(name, options);
  if (span === undefined) {
    return work();
  }
  try {
    const result = await span.run(work);
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}

/** Like `traced`, but only inside another span, so that periodic work makes no traces. */
export function tracedInside<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  return currentTrace() === undefined ? work() : traced(name, options, work);
}

/** The trace id of a `traceparent`; undefined if it is not valid. */
export function traceIdOf(traceparent: unknown): string | undefined {
  return typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined;
}

/** The trace id of a `traceparent` whose spans are exported; undefined if it is not sampled or not valid. */
export function sampledTraceIdOf(traceparent: string | undefined): string | undefined {
  return traceparent?.endsWith('1') === true ? traceIdOf(traceparent) : undefined;
}

/**
 * The trace of an order after its request: sending, look-ups, webhooks. Its id is derived from the id of the order, so every process
 * continues the same trace and no id has to be stored. The request links to it.
 * @returns a `traceparent` that is sampled
 */
export function orderTrace(orderId: string): string {
  const digest = createHash('sha256').update(`inlay order ${orderId}`).digest('hex');
  return `00-${digest.slice(0, 32)}-${digest.slice(32, 48)}-01`;
}
