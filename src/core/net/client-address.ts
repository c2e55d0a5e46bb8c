/**
 * Addresses of clients: by which address a client is metered, and which peers are our own proxies. It resolves no
 * names.
 */
import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const SUBSCRIBER_BITS = 64;

/**
 * The address that a client is metered by: its IPv4 address, or the /64 network of its IPv6 address, since one
 * subscriber has a whole /64.
 * @returns the text itself if it is not an address
 */
export function meteredAddress(text: string): string {
  if (isIP(text) === 0) {
    return text;
  }
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') {
    return address.toString();
  }
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${SUBSCRIBER_BITS}`);
  return `${network.toString()}/${SUBSCRIBER_BITS}`;
}

/** @param ranges addresses and ranges such as 10.0.0.0/8, in the format of `INLAY_TRUSTED_PROXIES` */
export function createPeerCheck(ranges: readonly string[]): (address: string | undefined) => boolean {
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
  return (text) => {
    if (text === undefined || isIP(text) === 0) {
      return false;
    }
    const address = ipaddr.process(text);
    return trusted.check(address.toString(), address.kind());
  };
}

/**
 * The address of the client: of the peer, or what trusted proxies report in `X-Forwarded-For`. The last address there was added by
 * the nearest proxy; the first one from the end that is not a trusted proxy is the client.
 * @param ranges of trusted proxies, as for `createPeerCheck`
 */
export function createClientAddress(
  ranges: readonly string[],
): (peer: string | undefined, forwardedFor: string | undefined) => string | undefined {
  if (ranges.length === 0) {
    return (peer) => peer;
  }
  const isTrusted = createPeerCheck(ranges);
  return (peer, forwardedFor = '') => {
    const reported = forwardedFor.split(',').map((text) => text.trim());
    const addresses = [peer, ...reported.filter((text) => text !== '').toReversed()];
    return addresses.find((address) => !isTrusted(address)) ?? addresses.at(-1);
  };
}

export function isLoopbackAddress(text: string | undefined): boolean {
  return text !== undefined && isIP(text) !== 0 && ipaddr.process(text).range() === 'loopback';
}
