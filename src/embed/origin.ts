/** Which calls a session that is bound to an origin accepts (specification "Embed session"). */

/** A call as the binding sees it. `origin` is the Origin header. */
export interface CallOrigin {
  readonly method: string;
  readonly origin: string | undefined;
  /** The service's own origins, by its configuration and not by the request. */
  readonly ownOrigins: ReadonlySet<string>;
}

/**
 * Does a session bound to `bound` accept this call? The bound origin, the service's own (calls of the frame), and reads
 * without an Origin header, which browsers leave out of same-origin GETs (rulings 11). An unbound session accepts all.
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
