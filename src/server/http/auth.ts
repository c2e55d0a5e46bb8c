/**
 * Authenticates the caller. Runs before a byte of the body is read, in the order of contract 10.11: key, operator,
 * aggregator header, scope, rate limit, tenant mode, user header. The decisions come from `operators/admission.ts`.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../../core/errors.ts';
import { type Admission, type AdmissionOutcome, type Admit, subjectOf } from '../../operators/admission.ts';
import { hashApiKey, type KeyUses, looksLikeApiKey } from '../../operators/keys.ts';
import type { RateCounters, RateWindow } from '../../operators/rate-counters.ts';
import type { Caller } from './api.ts';
import { readActingFor, readBearer } from './presented-key.ts';
import { setRateHeaders } from './rate-headers.ts';
import { readUserHeader } from './user-header.ts';
import type { EnterQueue } from './waiting.ts';

/** Authenticates an embed token; throws the refusals of embed sessions and sets the rate headers of the session. */
export type AuthenticateEmbed = (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>;

const NO_SCOPES: readonly string[] = [];
/** Refusals of the key itself contain no budget. */
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
    // a refusal takes no statement and no budget
    await enterQueue(request, reply, knownHolder);
  }
  const admission = await admit({ keyHash, actingFor, scopes, sufficientScope, address });
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
  request.caller = { operator, keyId, holderId, countedIn, scopes: admission.scopes, externalUserId };
  if (knownHolder === undefined) {
    await enterQueue(request, reply, holderId);
  }
}

/**
 * Counts a request that named an operator it may not act for, in the budget of the key, so that guessing operators has
 * a cost.
 * @throws rate_limited
 */
function countRefusal(counters: Pick<RateCounters, 'count'>, { keyId, operator, rate }: Admission): RateWindow {
  const counted = counters.count({ subject: subjectOf(keyId, operator.operatorId), limit: rate.limit });
  if (!counted.allowed) {
    throw refuse('rate_limited', undefined, { retryAfterSeconds: counted.resetSeconds });
  }
  return counted;
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
