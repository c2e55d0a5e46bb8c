/**
 * Origins of venues, and web origins that operators register, embed sessions are bound to and the frame is served for: `https` anywhere, `http`
 * on loopback only. A host may contain only letters, digits, dots and hyphens, because a URL parser also accepts
 * `a.example;sandbox`, which would add a directive to a content security policy.
 */

const LONGEST_ORIGIN = 2048;
const HOST = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*|\[[0-9a-f:.]+\])$/;
const BARE = /^https?:\/\/[^/?#@\\*\s]+$/i;

/**
 * @returns the origin of an address, whatever its path, or null if the address contains credentials or is not an
 * allowed origin
 */
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

/** @returns the normalised origin, or null if the text is not exactly `scheme://host[:port]` */
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
