/**
 * IP addresses: which one a request comes from, by which one a client is metered, which peers are our own proxies, and
 * which addresses are public. It resolves no names.
 */
import { BlockList, isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

const SUBSCRIBER_BITS = 56;
/** `203.0.113.7:4711` and `[2001:db8::7]:4711`, as some proxies report a client. A bracketed address may have no port. */
const WITH_PORT = /^(?:([\d.]+):\d{1,5}|\[([^\]]+)\](?::\d{1,5})?)$/;

/**
 * The only place that reads the address of a client: without port and zone, and IPv4 if it came on an IPv6 socket, so that
 * PostgreSQL takes it as `inet`.
 * @returns null if the text is not an address, for example `unknown`
 */
export function readClientAddress(reported: string | null | undefined): string | null {
  const text = reported ?? '';
  if (isIPv4(text)) {
    return text;
  }
  const [, ipv4, bracketed] = WITH_PORT.exec(text) ?? [];
  const [address = ''] = (ipv4 ?? bracketed ?? text).split('%');
  return isIP(address) === 0 ? null : ipaddr.process(address).toString();
}

/**
 * The address under which a client is metered: its IPv4 address, or the /56 network of its IPv6 address, which many providers give to one
 * home. Clients whose address cannot be read are metered as one.
 */
export function meteredAddress(text: string | null): string {
  if (text === null) {
    return 'unknown';
  }
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') {
    return address.toString();
  }
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${SUBSCRIBER_BITS}`);
  return `${network.toString()}/${SUBSCRIBER_BITS}`;
}

/** @param ranges addresses and ranges such as 10.0.0.0/8, in the format of `INLAY_TRUSTED_PROXIES` */
export function createPeerCheck(ranges: readonly string[]): (peer: string | null | undefined) => boolean {
  const trusted = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) {
      trusted.addAddress(address, family);
    } else {
      trusted.addSubnet(address, Number(prefix), family);
    }
  }
  return (peer) => {
    const address = readClientAddress(peer);
    return address !== null && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  };
}

/**
 * The address of the client: that of the peer, or the one that trusted proxies report in `X-Forwarded-For`. The nearest
 * proxy added the last address there, so the client is the first one from the end that is not a trusted proxy.
 * @param ranges of trusted proxies, as for `createPeerCheck`
 * @returns a function that returns the address, or null if the one in that place cannot be read
 */
export function createClientAddress(
  ranges: readonly string[],
): (peer: string | undefined, forwardedFor: string | undefined) => string | null {
  if (ranges.length === 0) {
    return readClientAddress;
  }
  const isTrusted = createPeerCheck(ranges);
  return (peer, forwardedFor = '') => {
    const reported = forwardedFor.split(',').map((text) => text.trim());
    const addresses = [peer, ...reported.filter((text) => text !== '').toReversed()];
    return readClientAddress(addresses.find((address) => !isTrusted(address)) ?? addresses.at(-1));
  };
}

export function isLoopbackAddress(text: string | undefined): boolean {
  const address = readClientAddress(text);
  return address !== null && ipaddr.parse(address).range() === 'loopback';
}

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
 * True for globally routable unicast addresses. This one rule applies to every address that others name, for fetching and
 * for sending. A mapped IPv4 address is checked as the IPv4 address that it contains.
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
