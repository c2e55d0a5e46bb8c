/**
 * Refuses orders and quotes that would come too late before the framework sees them. Under overload most requests are refused, and
 * what refusing them costs is missing for the others. It takes no turn and refuses nothing that `keep-turn.ts` would not: whatever
 * is not a plain request with a key that this process knows, goes on to the framework.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Deadline } from '../../../core/batching/deadline.ts';
import type { Environment } from '../../../core/environment.ts';
import { ERRORS } from '../../../core/errors.ts';
import { createClientAddress } from '../../../core/net/client-address.ts';
import { isTracing, traceIdOf } from '../../../core/telemetry/tracing.ts';
import type { Admit } from '../../../operators/admission/admission.ts';
import { hashApiKey, looksLikeApiKey } from '../../../operators/api-key.ts';
import type { Trading, TradingQueue } from '../../../trading/trading.ts';
import { JSON_TYPE } from '../../ready/ready-json.ts';
import type { Api } from '../api.ts';
import { readActingFor, readBearer } from '../presented-key.ts';
import type { RecordRequest } from '../request-log.ts';
import { repeatedHeader } from '../single-headers.ts';
import { STANDARD_HEADERS, TENANT_CACHING } from '../standard-headers.ts';

interface RefusalPorts {
  readonly environment: Pick<Environment, 'trustedProxies'>;
  readonly admit: Pick<Admit, 'lastHolderOf'>;
  readonly turns: Pick<Trading, 'isCrowded' | 'retryAfter'>;
  readonly record: RecordRequest;
  readonly nextDeadline: () => Deadline;
  readonly newRequestId: () => string;
}

export interface EarlyRefusals {
  /** @returns whether it has answered the request */
  refuse(request: IncomingMessage, response: ServerResponse): boolean;
  /** Learns which routes end in a queue of money, from what they state. It must come before the routes. */
  learnRoutes(app: Api): void;
}

const METHOD = 'POST';
const CODE = 'service_unavailable';
const { status: STATUS, message: MESSAGE } = ERRORS[CODE];
const FIXED_HEADERS = [...STANDARD_HEADERS, TENANT_CACHING, ['content-type', JSON_TYPE] as const].flat();

export function createEarlyRefusals({
  environment,
  admit,
  turns,
  record,
  nextDeadline,
  newRequestId,
}: RefusalPorts): EarlyRefusals {
  const queues = new Map<string, TradingQueue>();
  const addressOf = createClientAddress(environment.trustedProxies);
  let isStopping = () => false;

  /** What the framework would refuse for another reason, or has to look at more closely, is undefined. */
  function holderOf({ headers, rawHeaders }: IncomingMessage): string | undefined {
    const key = readBearer(headers);
    if (key === undefined || !looksLikeApiKey(key) || repeatedHeader(rawHeaders) !== undefined) {
      return undefined;
    }
    return admit.lastHolderOf({ keyHash: hashApiKey(key), actingFor: readActingFor(headers) });
  }

  function answer(request: IncomingMessage, response: ServerResponse, route: string, seconds: number): void {
    const started = performance.now();
    const id = newRequestId();
    const body = JSON.stringify({ error: CODE, message: MESSAGE, retryAfterSeconds: seconds });
    const own = ['x-request-id', id, 'retry-after', String(seconds), 'content-length', String(body.length)];
    response.writeHead(STATUS, [...FIXED_HEADERS, ...own]).end(body);
    record({ id, method: METHOD, route, status: STATUS, ms: performance.now() - started }, () => ({
      key: null,
      operator: null,
      customer: null,
      order: null,
      trace: traceIdOf(request.headers['traceparent']) ?? null,
      address: addressOf(request.socket.remoteAddress, request.headers['x-forwarded-for']?.toString()),
    }));
  }

  return {
    refuse(request, response) {
      const { url = '', method } = request;
      const queue = method === METHOD ? queues.get(url) : undefined;
      // a span begins and ends in hooks of the framework
      if (queue === undefined || !turns.isCrowded(queue) || isStopping() || isTracing()) {
        return false;
      }
      const holderId = holderOf(request);
      const seconds = holderId === undefined ? undefined : turns.retryAfter(queue, holderId, nextDeadline());
      if (seconds === undefined) {
        return false;
      }
      answer(request, response, url, seconds);
      return true;
    },
    learnRoutes(app) {
      isStopping = () => app.isStopping;
      app.addHook('onRoute', ({ url, method, config }) => {
        if (method === METHOD && config?.auth === 'key' && config.endsIn !== undefined) {
          queues.set(url, config.endsIn);
        }
      });
    },
  };
}
