/**
 * Which addresses are public. This one rule applies to every address that others name, for fetching and for sending.
 */
import ipaddr from 'ipaddr.js';

/**
 * Platform services of clouds that are reachable only from inside. Azure's 168.63.129.16 is ordinary unicast in every
 * registry; the others are in ranges that `ipaddr.js` may or may not know (192.0.0.192 of Oracle, 100.100.100.200 of
 * Alibaba, 169.254.169.254).
 */
const CLOUD_PLATFORMS = ['168.63.129.16/32', '192.0.0.0/24', '100.64.0.0/10', '169.254.0.0/16', '198.18.0.0/15'].map(
  (range) => ipaddr.IPv4.parseCIDR(range),
);

/** IPv6 ranges inside 2000::/3 that embed an IPv4 address, are reserved for documentation, or belong to no host. */
const NOT_FOR_HOSTS = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
);

/**
 * True for globally routable unicast addresses. A mapped IPv4 address is checked as the IPv4 address that it contains.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) {
    return false;
  }
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') {
    return false;
  }
  if (address instanceof ipaddr.IPv4) {
    return !CLOUD_PLATFORMS.some((range) => address.match(range));
  }
  // All global unicast addresses are in 2000::/3. This excludes `::127.0.0.1` and all ranges that are not assigned yet.
  const isGlobal = (address.toByteArray()[0] ?? 0) >> 5 === 1;
  return isGlobal && !NOT_FOR_HOSTS.some((range) => (address as ipaddr.IPv6).match(range));
}
