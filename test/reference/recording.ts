/**
 * Records the examples of the reference: requests to a running service with what it answered, and webhooks as they arrived. A story
 * sends them in the order in which a partner would, and everything that a response names was there before.
 */
import { expect } from 'vitest';
import type { ErrorCode } from '../../src/core/errors.ts';
import type { WebhookEventType } from '../../src/wire/webhook.ts';
import type { AnyJson } from '../support/any-json.ts';
import { readDescription } from '../support/openapi.ts';
import type { World } from '../support/world.ts';
import { FixedNames, type Step } from './fixed-names.ts';

/** A request with its response, as the file keeps it. */
export interface Exchange {
  readonly summary: string;
  readonly request: KeptRequest;
  readonly status: number;
  readonly type: string;
  /** JSON, the text of another type, or null for a picture. */
  readonly body: AnyJson;
}

interface KeptRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Of `X-Service-User`. */
  readonly user?: string;
  readonly body?: AnyJson;
}

export interface KeptEvent {
  readonly summary: string;
  readonly body: AnyJson;
}

export interface Examples {
  /** By operation id. */
  readonly operations: Readonly<Record<string, readonly Exchange[]>>;
  /** By type. */
  readonly webhooks: Readonly<Record<string, readonly KeptEvent[]>>;
}

/** Who sends a request: an operator's key, or the token of a session. */
export type Sender = { readonly key: string | null } | { readonly token: string };

interface AskedRequest extends KeptRequest {
  readonly by: Sender;
  /** The code of a refusal; otherwise the request has to succeed. */
  readonly refused?: ErrorCode;
}

export interface Recording {
  /** Sends a request and keeps it. @param summary what the example shows; its own among those of the operation. @returns the body */
  keep(operationId: string, summary: string, request: AskedRequest): Promise<AnyJson>;
  /** Sends a request and does not keep it. */
  ask(operationId: string, request: AskedRequest): Promise<AnyJson>;
  /** Keeps what was read otherwise, such as the beginning of a stream. */
  keepText(operationId: string, summary: string, request: AskedRequest, type: string, text: string): void;
  keepEvent(type: WebhookEventType, summary: string, body: AnyJson): void;
  /** What happens between two requests and is not kept. */
  meanwhile<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Address and headers of a request. */
  prepare(operationId: string, request: AskedRequest): { address: string; headers: Record<string, string> };
  /** What was kept, with fixed names. @param repair changes what follows from names that were fixed */
  finish(repair: (examples: Examples, fix: (value: AnyJson) => AnyJson) => Examples): Examples;
}

export async function openRecording(service: World): Promise<Recording> {
  const { paths } = await readDescription(service);
  const routes = new Map(
    Object.entries<AnyJson>(paths).flatMap(([template, methods]) =>
      Object.entries<AnyJson>(methods).map(([method, { operationId }]) => [
        operationId as string,
        { method: method.toUpperCase(), template },
      ]),
    ),
  );
  const steps: Step[] = [];
  const exchanges: { operationId: string; exchange: Exchange; step: Step }[] = [];
  const events: { type: WebhookEventType; event: KeptEvent; step: Step }[] = [];

  /** In a millisecond after the step before, so that no time belongs to two. */
  const begin = (): Step => {
    const before = steps.at(-1)?.endedAt ?? 0;
    let begunAt = Date.now();
    while (begunAt <= before) {
      begunAt = Date.now();
    }
    const step = { place: steps.length, begunAt, endedAt: Number.POSITIVE_INFINITY };
    steps.push(step);
    return step;
  };
  const during = async <Result>(step: Step, work: () => Promise<Result>): Promise<Result> => {
    const result = await work();
    step.endedAt = Date.now();
    return result;
  };
  const routeOf = (operationId: string) => {
    const route = routes.get(operationId);
    if (route === undefined) {
      throw new Error(`the document has no operation ${operationId}`);
    }
    return route;
  };
  const prepare: Recording['prepare'] = (operationId, { by, path = {}, query, user }) => {
    const address = routeOf(operationId).template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(path[name] ?? ''),
    );
    return {
      address: query === undefined ? address : `${address}?${new URLSearchParams(query)}`,
      headers: {
        ...('token' in by && { authorization: `Embed ${by.token}` }),
        ...(user !== undefined && { 'x-service-user': user }),
      },
    };
  };
  const send = async (operationId: string, request: AskedRequest) => {
    const step = begin();
    const { address, headers } = prepare(operationId, request);
    const answer = await during(step, () =>
      service.request(routeOf(operationId).method, address, {
        key: 'key' in request.by ? request.by.key : null,
        headers,
        ...(request.body !== undefined && { body: request.body }),
      }),
    );
    expect([answer.body?.error, answer.status < 300], `${operationId}: ${answer.text}`).toEqual([
      request.refused,
      request.refused === undefined,
    ]);
    return { step, ...answer };
  };
  const keptPart = ({ path, query, user, body }: AskedRequest): KeptRequest => ({
    ...(path && { path }),
    ...(query && { query }),
    ...(user !== undefined && { user }),
    ...(body !== undefined && { body }),
  });

  return {
    prepare,
    meanwhile: (work) => during(begin(), work),
    ask: async (operationId, request) => (await send(operationId, request)).body,
    async keep(operationId, summary, request) {
      const { step, status, headers, text, body } = await send(operationId, request);
      const [type = ''] = (headers.get('content-type') ?? '').split(';');
      const kept = type === 'application/json' ? body : type.startsWith('image/') ? null : text;
      exchanges.push({
        operationId,
        exchange: { summary, request: keptPart(request), status, type, body: kept },
        step,
      });
      return body;
    },
    keepText(operationId, summary, request, type, text) {
      const step = begin();
      step.endedAt = step.begunAt;
      exchanges.push({
        operationId,
        exchange: { summary, request: keptPart(request), status: 200, type, body: text },
        step,
      });
    },
    keepEvent(type, summary, body) {
      const step = begin();
      step.endedAt = step.begunAt;
      // When an attempt is made depends on the queue.
      const event = { summary, body: { ...body, createdAt: new Date(step.begunAt).toISOString() } };
      events.push({ type, event, step });
    },
    finish(repair) {
      const names = new FixedNames(steps);
      const operations: Record<string, Exchange[]> = {};
      for (const { operationId, exchange, step } of exchanges) {
        operations[operationId] = [...(operations[operationId] ?? []), names.fix(exchange, step)];
      }
      const webhooks: Record<string, KeptEvent[]> = {};
      for (const { type, event, step } of events) {
        webhooks[type] = [...(webhooks[type] ?? []), names.fix(event, step)];
      }
      const last = steps.at(-1) as Step;
      return repair({ operations, webhooks }, (value) => names.fix(value, last));
    },
  };
}
