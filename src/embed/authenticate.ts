/**
 * Authenticates `Authorization: Embed <token>`: one operator and one customer, for the lifetime of the session, and only
 * from the origin to which the session is bound (contract chapters 30 and 34). It caches nothing between calls, so a
 * revocation or a suspension takes effect at once.
 */
import { refuse } from '../core/errors.ts';
import { type FindSession, type Keyring, type PresentedSession, readToken, SESSION_RATE_LIMIT } from './sessions.ts';

/** Counts a call; the same shape as the meter of the `operators` room. */
export type CountCall = (call: {
  readonly subject: string;
  readonly limit: number;
  readonly tenant: { readonly operatorId: string; readonly ceiling: number };
}) => Promise<{
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}>;

/** The parts of a call that the binding checks. `origin` is the Origin header. */
interface CallOrigin {
  readonly method: string;
  readonly origin: string | undefined;
  /** The service's own origins, from its configuration and not from the request. */
  readonly ownOrigins: ReadonlySet<string>;
}

export interface EmbedCall extends CallOrigin {
  readonly authorization: string | undefined;
  /** The query string as it was sent, without the question mark. */
  readonly query: string;
  /** Whether a suspended customer may make this call. */
  readonly alsoSuspended: boolean;
}

export interface EmbedAuthentication {
  readonly session: PresentedSession;
  readonly rate: { readonly limit: number; readonly remaining: number; readonly resetSeconds: number };
}

const SCHEME = /^Embed +(\S+) *$/i;
const TOKEN_NAMES = new Set(['token', 'access_token', 'authorization']);
const TOKEN_TEXT = /\bies1\.[0-9a-f]{12}\./i;

/**
 * Finds the session of a token, without checking the origin and without counting: for the price stream.
 * @throws missing_credentials, embed_unavailable, invalid_token, session_revoked, session_expired, operator_suspended
 */
export async function presentToken(
  keyring: Keyring | null,
  find: FindSession,
  authorization: string | undefined,
): Promise<PresentedSession> {
  const token = SCHEME.exec(authorization ?? '')?.[1];
  if (token === undefined) {
    throw refuse('missing_credentials', 'Send the token as Authorization: Embed <token>.');
  }
  if (keyring === null) {
    throw refuse('embed_unavailable');
  }
  const secretHash = readToken(keyring, token);
  const session = secretHash === null ? null : await find(secretHash);
  if (session === null) {
    throw refuse('invalid_token');
  }
  if (session.revoked) {
    throw refuse('session_revoked');
  }
  if (session.expired) {
    throw refuse('session_expired');
  }
  if (!session.holderActive) {
    throw refuse('operator_suspended');
  }
  return session;
}

/**
 * Finds the session of a call, checks its origin and counts it.
 * @throws the refusals of `presentToken`, and invalid_request (a token in the query string), origin_not_allowed,
 *   rate_limited, user_suspended
 */
export async function authenticateEmbedCall(
  keyring: Keyring | null,
  find: FindSession,
  count: CountCall,
  call: EmbedCall,
): Promise<EmbedAuthentication> {
  refuseTokenInQuery(call.query);
  const session = await presentToken(keyring, find, call.authorization);
  if (!acceptsOrigin(session.origin, call)) {
    throw refuse('origin_not_allowed');
  }
  const rate = await count({
    subject: `e:${session.sessionId}`,
    limit: SESSION_RATE_LIMIT,
    tenant: { operatorId: session.holderId, ceiling: session.holderCeiling },
  });
  if (!rate.allowed) {
    throw refuse('rate_limited', undefined, { retryAfterSeconds: rate.resetSeconds });
  }
  if (session.customerSuspended && !call.alsoSuspended) {
    throw refuse('user_suspended');
  }
  return { session, rate };
}

/**
 * A token in a query string would end up in logs and browser histories.
 * @throws invalid_request
 */
export function refuseTokenInQuery(query: string): void {
  if (query === '') {
    return;
  }
  for (const [name, value] of new URLSearchParams(query)) {
    if (TOKEN_NAMES.has(name.toLowerCase()) || TOKEN_TEXT.test(name) || TOKEN_TEXT.test(value)) {
      throw refuse('invalid_request', 'A token is taken from the Authorization header only.');
    }
  }
}

/**
 * Whether a session accepts this call (contract chapter 30). A bound session accepts the bound origin, the service's own
 * origins (calls of the frame), and reads without an Origin header, which browsers omit in same-origin GETs (contract
 * 30.13). An unbound session accepts every call.
 * @param bound the origin of the session, or null
 */
export function acceptsOrigin(bound: string | null, call: CallOrigin): boolean {
  if (bound === null) {
    return true;
  }
  if (call.origin === undefined) {
    return call.method === 'GET' || call.method === 'HEAD';
  }
  return call.origin === bound || call.ownOrigins.has(call.origin);
}
