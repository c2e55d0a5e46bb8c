/**
 * Ranges of client addresses to which an API key is bound. Pure.
 */
import ipaddr from 'ipaddr.js';
import { refuse } from '../core/errors.ts';

/**
 * @param text an address, or a range such as `203.0.113.0/24`
 * @returns the range in the format of PostgreSQL's `cidr`; a single address is a range of one
 * @throws `invalid_request` for anything else, and if bits are set after the prefix
 */
export function readRange(text: string): string {
  const [address = '', prefix, ...rest] = text.split('/');
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  if (!isAddress || address.includes('%') || rest.length > 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) {
    throw refuseRange(text);
  }
  const parsed = ipaddr.parse(address);
  const bits = prefix === undefined ? parsed.toByteArray().length * 8 : Number(prefix);
  if (bits > parsed.toByteArray().length * 8 || hasBitsBehind(parsed.toByteArray(), bits)) {
    throw refuseRange(text);
  }
  return `${parsed.toString()}/${bits}`;
}

function hasBitsBehind(bytes: readonly number[], bits: number): boolean {
  return bytes.some((byte, index) => {
    const free = Math.min(8, Math.max(0, (index + 1) * 8 - bits));
    return (byte & (2 ** free - 1)) !== 0;
  });
}

function refuseRange(text: string): Error {
  return refuse('invalid_request', `${text} is neither an address nor a range such as 203.0.113.0/24.`);
}

/**
 * @param address of a client, as text
 * @param ranges as PostgreSQL prints `cidr`: a single address may have no prefix
 * @returns false also for what is no address
 */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) {
    return false;
  }
  const parsed = ipaddr.parse(address);
  return ranges.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(
      range.includes('/') ? range : `${range}/${range.includes(':') ? 128 : 32}`,
    );
    return network.kind() === parsed.kind() && parsed.match(network, bits);
  });
}
