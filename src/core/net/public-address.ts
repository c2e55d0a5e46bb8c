/** Which addresses are public: the one rule for everything that is fetched from or sent to an address that others name. */
import ipaddr from 'ipaddr.js';

/**
 * Platform services of clouds that answer from inside only: Azure's 168.63.129.16 is ordinary unicast to every registry; the others
 * lie in ranges that `ipaddr.js` may or may not know (192.0.0.192 of Oracle, 100.100.100.200 of Alibaba, 169.254.169.254).
 */
const CLOUD_PLATFORMS = ['168.63.129.16/32', '192.0.0.0/24', '100.64.0.0/10', '169.254.0.0/16', '198.18.0.0/15'].map(
  (range) => ipaddr.IPv4.parseCIDR(range),
);

/** IPv6 ranges inside 2000::/3 that carry an IPv4 address, are documentation, or belong to no host. */
const NOT_FOR_HOSTS = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
);

/** True for addresses that are globally routable unicast; mapped IPv4 is judged as the IPv4 address inside. */
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
  // 2000::/3 is all the global unicast there is: it keeps out `::127.0.0.1` and whatever is not assigned yet.
  const isGlobal = (address.toByteArray()[0] ?? 0) >> 5 === 1;
  return isGlobal && !NOT_FOR_HOSTS.some((range) => (address as ipaddr.IPv6).match(range));
}
