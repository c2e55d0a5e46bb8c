/**
 * Web origins that operators register and bind sessions to: `https` anywhere, `http` on loopback alone. Hosts are held to letters,
 * digits, dots and hyphens: a URL parser also takes `a.example;sandbox`, which would add a directive to a content security policy.
 */

const LONGEST_ORIGIN = 2048;
const HOST = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*|\[[0-9a-f:.]+\])$/;
const BARE = /^https?:\/\/[^/?#@\\*\s]+$/i;

/** @returns the origin of an address whatever its path, or null if the address has credentials or may not be an origin here. */
export function originOfAddress(text: string): string | null {
  if (text.length > LONGEST_ORIGIN || !URL.canParse(text)) {
    return null;
  }
  const { protocol, hostname, origin, username, password } = new URL(text);
  if (username !== '' || password !== '' || !HOST.test(hostname)) {
    return null;
  }
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackName(hostname)) ? origin : null;
}

/** @returns the origin in its normal form, or null if the text is not exactly `scheme://host[:port]`. */
export function readWebOrigin(text: string): string | null {
  return BARE.test(text) ? originOfAddress(text) : null;
}

function isLoopbackName(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}
