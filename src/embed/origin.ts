/** Web origins: which one a session may be bound to, and which calls a bound session accepts (specification "Embed session"). */

const LONGEST_ORIGIN = 2048;

/**
 * The origin of an `https` address, or of an `http` one on loopback; a path is dropped.
 * @returns null for anything else, and for an address with credentials.
 */
export function readReturnOrigin(text: string): string | null {
  if (text.length > LONGEST_ORIGIN || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.hostname === '' || url.hostname.includes('*')) return null;
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return url.origin;
  return null;
}

/** A call as the binding sees it. `origin` is the Origin header; host and protocol say where the service was reached. */
export interface CallOrigin {
  readonly method: string;
  readonly origin: string | undefined;
  readonly host: string | undefined;
  readonly protocol: string;
}

/**
 * Does a session bound to `bound` accept this call? The bound origin, the service's own (calls of the frame), and reads
 * without an Origin header, which browsers leave out of same-origin GETs (rulings 11). An unbound session accepts all.
 */
export function acceptsOrigin(bound: string | null, call: CallOrigin): boolean {
  if (bound === null) return true;
  if (call.origin === undefined) return call.method === 'GET' || call.method === 'HEAD';
  return call.origin === bound || isOwnOrigin(call);
}

// Behind a proxy that ends TLS the service sees http while the browser's origin says https, never the other way round.
function isOwnOrigin(call: CallOrigin): boolean {
  if (call.host === undefined) return false;
  return call.origin === `${call.protocol}://${call.host}` || call.origin === `https://${call.host}`;
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}
