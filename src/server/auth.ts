/**
 * Who is calling. Runs before a byte of the body is read, in the order of rulings 4: key, operator, aggregator header, scope,
 * rate limit, tenant mode, user header. It decides nothing itself: `operators/admission.ts` answers for the database.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorCode, refuse } from '../core/errors.ts';
import type { Admission, AdmissionRequest } from '../operators/admission.ts';
import { hashApiKey, looksLikeApiKey } from '../operators/api-key.ts';
import type { Caller } from './api.ts';
import { setRateHeaders } from './rate-headers.ts';
import { readUserHeader } from './user-header.ts';

export type Admit = (request: AdmissionRequest) => Promise<Admission>;
/** Who calls by an embed token; throws the refusals of embed sessions and sets the rate headers of the session. */
export type AuthenticateEmbed = (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>;

const BEARER = /^Bearer +(\S+) *$/i;
const NO_SCOPES: readonly string[] = [];

export function createAuthHook(admit: Admit, authenticateEmbed: AuthenticateEmbed) {
  return function authenticate(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    const { auth } = request.routeOptions.config;
    if (auth === 'key') {
      byKey(request, reply, admit).then(() => done(), done);
    } else if (auth === 'embed') {
      byEmbedToken(request, reply, authenticateEmbed).then(() => done(), done);
    } else {
      done();
    }
  };
}

async function byKey(request: FastifyRequest, reply: FastifyReply, admit: Admit): Promise<void> {
  const { scopes = NO_SCOPES, rateHeaders = true, sandboxOnly, userHeader } = request.routeOptions.config;
  const key = BEARER.exec(request.headers.authorization ?? '')?.[1];
  if (key === undefined) {
    throw refuse('missing_credentials');
  }
  if (!looksLikeApiKey(key)) {
    throw refuse('invalid_key');
  }
  const actingFor = readActingFor(request);
  const admission = await admit({ keyHash: hashApiKey(key), actingFor, scopes });
  const { outcome, rate } = admission;
  if (rateHeaders && outcome !== 'invalid_key' && outcome !== 'revoked_key') {
    request.rate = rate;
    setRateHeaders(reply, rate);
  }
  if (outcome !== 'admitted') {
    throw refusalOf(outcome, admission, scopes);
  }
  const { operator, keyId, holderId } = admission;
  if (sandboxOnly === true && operator.mode !== 'sandbox') {
    throw refuse('sandbox_only');
  }
  const externalUserId = readUserHeader(request.headers, userHeader ?? false);
  request.caller = { operator, keyId, holderId, scopes: admission.scopes, externalUserId };
}

async function byEmbedToken(
  request: FastifyRequest,
  reply: FastifyReply,
  authenticateEmbed: AuthenticateEmbed,
): Promise<void> {
  request.caller = await authenticateEmbed(request, reply);
}

function readActingFor(request: FastifyRequest): string | null {
  const named = request.headers['x-service-operator'];
  return typeof named === 'string' && named !== '' ? named : null;
}

function refusalOf(outcome: ErrorCode, admission: Admission, scopes: readonly string[]): Error {
  if (outcome === 'insufficient_scope') {
    const missing = scopes.filter((scope) => !admission.scopes.includes(scope));
    return refuse(outcome, undefined, { required: scopes, missing });
  }
  if (outcome === 'rate_limited') {
    return refuse(outcome, undefined, { retryAfterSeconds: admission.rate.resetSeconds });
  }
  return refuse(outcome);
}
