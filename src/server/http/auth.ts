/**
 * Authenticates the caller and takes its place in the queue, before a byte of the body is read, in the order of contract
 * 10.11: key, operator, aggregator header, scope, rate limit, tenant mode, user header. The decisions come from
 * `operators/admission.ts`.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Refusal, refuse } from '../../core/errors.ts';
import { createFairQueue, type Leave } from '../../core/fair-queue.ts';
import { isReference, REFERENCE_RULE } from '../../core/reference.ts';
import { type Admission, type AdmissionOutcome, type Admit, subjectOf } from '../../operators/admission.ts';
import { hashApiKey, type KeyUses, looksLikeApiKey } from '../../operators/keys.ts';
import type { RateCounters, RateWindow } from '../../operators/rate-counters.ts';
import type { Caller } from './api.ts';

/** Authenticates an embed token and sets the rate headers of its session. @throws the refusals of embed sessions */
export type AuthenticateEmbed = (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>;

const NO_SCOPES: readonly string[] = [];
/** Refusals of the key itself carry no rate headers. */
const WITHOUT_BUDGET: ReadonlySet<AdmissionOutcome> = new Set([
  'invalid_key',
  'revoked_key',
  'expired_key',
  'address_not_allowed',
]);

interface KeyPorts {
  readonly admit: Admit;
  readonly uses: KeyUses;
  readonly counters: Pick<RateCounters, 'count'>;
  readonly enterQueue: EnterQueue;
}

/** @param authenticateEmbed for routes with `auth: 'embed'` */
export function createAuthHook(ports: KeyPorts, authenticateEmbed: AuthenticateEmbed) {
  return function authenticate(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    const { auth } = request.routeOptions.config;
    if (auth === 'key') {
      byKey(request, reply, ports).then(() => done(), done);
    } else if (auth === 'embed') {
      byEmbedToken(request, reply, ports.enterQueue, authenticateEmbed).then(() => done(), done);
    } else {
      done();
    }
  };
}

async function byKey(
  request: FastifyRequest,
  reply: FastifyReply,
  { admit, uses, counters, enterQueue }: KeyPorts,
): Promise<void> {
  const {
    scopes = NO_SCOPES,
    sufficientScope,
    rateHeaders = true,
    sandboxOnly,
    userHeader,
  } = request.routeOptions.config;
  const key = readBearer(request.headers);
  if (key === undefined) {
    throw refuse('missing_credentials');
  }
  if (!looksLikeApiKey(key)) {
    throw refuse('invalid_key');
  }
  const actingFor = readActingFor(request.headers);
  const { clientAddress: address } = request;
  const keyHash = hashApiKey(key);
  const knownHolder = admit.lastHolderOf({ keyHash, actingFor });
  if (knownHolder !== undefined) {
    // A request that the queue refuses costs no statement and no budget.
    await enterQueue(request, reply, knownHolder);
  }
  const asked = { keyHash, actingFor, scopes, sufficientScope, address };
  const admission = await admit(asked);
  const { outcome } = admission;
  const rate = outcome === 'operator_not_permitted' ? countRefusal(counters, admission) : admission.rate;
  if (outcome !== 'invalid_key') {
    request.attribution = { keyId: admission.keyId, operatorId: admission.operator.operatorId };
  }
  if (rateHeaders && !WITHOUT_BUDGET.has(outcome)) {
    request.rate = rate;
    setRateHeaders(reply, rate);
  }
  if (outcome !== 'admitted') {
    throw refusalOf(outcome, admission, scopes);
  }
  const { operator, keyId, holderId, countedIn } = admission;
  uses.note({ keyId, address, at: new Date() });
  if (sandboxOnly === true && operator.mode !== 'sandbox') {
    throw refuse('sandbox_only');
  }
  const externalUserId = readUserHeader(request.headers, userHeader ?? false);
  const checkAgain = async () => {
    const now = await admit.again(asked);
    if (now !== 'admitted') {
      throw refusalOf(now, admission, scopes);
    }
  };
  request.caller = { operator, keyId, holderId, countedIn, scopes: admission.scopes, externalUserId, checkAgain };
  if (knownHolder === undefined) {
    await enterQueue(request, reply, holderId);
  }
}

const OPERATOR_ID = /^op_\w{1,60}$/;
const BEARER = /^Bearer +(\S+) *$/i;

/** @returns the API key, which is not checked here; undefined without credentials and for another scheme */
function readBearer({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  return BEARER.exec(authorization)?.[1];
}

/** @returns the id of the operator that the aggregator header names, which is not checked here, or null */
function readActingFor(headers: IncomingHttpHeaders): string | null {
  const named = headers['x-service-operator'];
  if (typeof named !== 'string' || named === '') {
    return null;
  }
  // Text that cannot be an id is refused like any unknown id.
  return OPERATOR_ID.test(named) ? named : 'unknown';
}

/**
 * Counts a request that names an operator for which it may not act in the budget of the key, so that guessing operators
 * has a cost.
 * @throws rate_limited
 */
function countRefusal(counters: Pick<RateCounters, 'count'>, { keyId, operator, rate }: Admission): RateWindow {
  const counted = counters.count({ subject: subjectOf(keyId, operator.operatorId), limit: rate.limit });
  if (!counted.allowed) {
    throw refuse('rate_limited', undefined, { retryAfterSeconds: counted.resetSeconds });
  }
  return counted;
}

function refusalOf(
  outcome: Exclude<AdmissionOutcome, 'admitted'>,
  admission: Admission,
  scopes: readonly string[],
): Error {
  if (outcome === 'expired_key') {
    return refuse('revoked_key', 'The API key has expired.');
  }
  if (outcome === 'insufficient_scope') {
    const missing = scopes.filter((scope) => !admission.scopes.includes(scope));
    return refuse(outcome, undefined, { required: scopes, missing });
  }
  if (outcome === 'rate_limited') {
    return refuse(outcome, undefined, { retryAfterSeconds: admission.rate.resetSeconds });
  }
  return refuse(outcome);
}

const BEYOND_ASCII = /[\u0080-\u00ff]/;

/**
 * Reads the customer's id from `X-Service-User`, or from `X-Operator-User`, its earlier name (contract 34.8).
 *
 * @param need true if the route requires the header, `optional` if it reads it, false if it ignores it
 * @throws `missing_user`; `invalid_request` if the two headers differ, or the id breaks the rule of core/reference.ts
 */
function readUserHeader(headers: IncomingHttpHeaders, need: boolean | 'optional'): string | null {
  if (need === false) {
    return null;
  }
  const [current, earlier] = [headers['x-service-user'], headers['x-operator-user']];
  if (current && earlier && current !== earlier) {
    throw invalidUser(
      'X-Service-User and X-Operator-User name two different customers',
      'differs from X-Operator-User',
    );
  }
  const sent = current || earlier;
  if (typeof sent !== 'string' || sent === '') {
    if (need === true) {
      throw refuse('missing_user');
    }
    return null;
  }
  const id = decodeUtf8(sent);
  if (id === undefined || !isReference(id)) {
    throw invalidUser(`X-Service-User must be ${REFERENCE_RULE}`, REFERENCE_RULE);
  }
  return id;
}

function invalidUser(sentence: string, message: string): Refusal {
  return refuse('invalid_request', `${sentence}.`, { detail: [{ path: 'X-Service-User', message }] });
}

/**
 * Node decodes headers as Latin-1, but ids beyond ASCII are sent as UTF-8 and must equal the same id in a path or a body.
 * @returns undefined if the bytes are not UTF-8
 */
function decodeUtf8(text: string): string | undefined {
  if (!BEYOND_ASCII.test(text)) {
    return text;
  }
  const decoded = Buffer.from(text, 'latin1').toString('utf8');
  return decoded.includes('\ufffd') ? undefined : decoded;
}

async function byEmbedToken(
  request: FastifyRequest,
  reply: FastifyReply,
  enterQueue: EnterQueue,
  authenticateEmbed: AuthenticateEmbed,
): Promise<void> {
  request.caller = await authenticateEmbed(request, reply);
  const { keyId, operator, holderId } = request.caller;
  request.attribution = { keyId, operatorId: operator.operatorId };
  await enterQueue(request, reply, holderId);
}

/** As many as two statements of orders take. More places would fill no statement further, and delay every response. */
const MONEY = { places: 384, placesOfHolder: 192, waitingOfHolder: 1_024, lateMs: 200 };
const READS = { places: 128, placesOfHolder: 64, waitingOfHolder: 256, lateMs: 1_000 };

/**
 * Takes a place for a request of this holder, until it has its response or calls `leaveQueue`.
 * @returns a promise if the request has to wait
 * @throws service_unavailable, also by the promise
 */
type EnterQueue = (request: FastifyRequest, reply: FastifyReply, holderId: string) => Promise<void> | undefined;

/**
 * The queues in which requests wait when a process has more than it can serve. Money and reads have separate places, so
 * that reads never take those of money.
 */
export function createQueues(): EnterQueue {
  const money = createFairQueue(MONEY);
  const reads = createFairQueue(READS);
  return (request, reply, holderId) => {
    const stay = (leave: Leave): undefined => {
      request.leaveQueue = leave;
      leaveWith(reply, leave);
    };
    const enter = request.method === 'GET' || request.method === 'HEAD' ? reads : money;
    const place = enter(holderId);
    return place instanceof Promise ? place.then(stay) : stay(place);
  };
}

/** Gives the place back when the request has its response, or when its client has gone away. */
export function leaveWith({ raw }: FastifyReply, leave: Leave): void {
  // The framework does not call `onResponse` if the client goes away during the response.
  raw.on('close', leave);
  if (raw.closed) {
    leave();
  }
}

/** Refusals that carry no `RateLimit-*` headers (contract 35.7). */
const SILENT_CODES = new Set(['sandbox_only', 'unknown_user']);
/** The 400 and 500 responses of this list carry none either. */
const EVENTS_LIST = '/api/v1/events';

export function setRateHeaders(reply: FastifyReply, rate: RateWindow): void {
  reply.header('ratelimit-limit', rate.limit);
  reply.header('ratelimit-remaining', rate.remaining);
  reply.header('ratelimit-reset', rate.resetSeconds);
}

/** Removes the rate headers from a refusal that the contract lists without them. */
export function withdrawRateHeaders(request: FastifyRequest, reply: FastifyReply, status: number, code: string): void {
  const silent =
    SILENT_CODES.has(code) || ((status === 400 || status === 500) && request.routeOptions.config.url === EVENTS_LIST);
  if (silent) {
    reply.removeHeader('ratelimit-limit');
    reply.removeHeader('ratelimit-remaining');
    reply.removeHeader('ratelimit-reset');
  }
}
