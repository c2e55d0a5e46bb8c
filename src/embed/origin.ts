/** Which calls a session accepts if it is bound to an origin (contract chapter 30). */

/** The parts of a call that the binding checks. `origin` is the Origin header. */
export interface CallOrigin {
  readonly method: string;
  readonly origin: string | undefined;
  /** The service's own origins, from its configuration and not from the request. */
  readonly ownOrigins: ReadonlySet<string>;
}

/**
 * Whether a session bound to `bound` accepts this call. Accepted are the bound origin, the service's own (calls of the
 * frame), and reads without an Origin header, which browsers omit in same-origin GETs (contract 30.13). An unbound session
 * accepts every call.
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
