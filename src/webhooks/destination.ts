/**
 * Which URLs and addresses a delivery may be sent to, and the check of a URL when it is registered or changed. `sender.ts`
 * applies the same rule for addresses to every socket.
 */
import { lookup as systemLookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { isPublicAddress } from '../core/addresses.ts';
import { refuse } from '../core/errors.ts';

const MAX_URL_LENGTH = 2048;

export interface DestinationPolicy {
  /** Allows plain http and any port on loopback: for development machines. */
  readonly allowLoopback: boolean;
}

interface Destination {
  /** Normalised, without fragment. */
  readonly url: string;
  /** The registered host: lower case, as in the URL, with the port if it is not the default. */
  readonly host: string;
  readonly loopback: boolean;
}

export type DestinationRule = 'url' | 'credentials' | 'https' | 'port' | 'loopback' | 'address' | 'host' | 'resolution';

/**
 * Checks the rules that depend only on the text of a URL.
 * @throws `invalid_destination` with one line about the rule; `rule` names it for programs
 */
export function checkDestination(text: string, policy: DestinationPolicy): Destination {
  const url = URL.canParse(text) && text.length <= MAX_URL_LENGTH ? new URL(text) : undefined;
  if (url === undefined || url.hostname === '') {
    throw refuseDestination('url', `not an absolute URL of at most ${MAX_URL_LENGTH} characters`);
  }
  if (url.username !== '' || url.password !== '' || /^[a-z+]+:[\\/]*[^\\/?#]*@/i.test(text)) {
    throw refuseDestination('credentials', 'a webhook URL must not contain a user name or password');
  }
  const name = bareHost(url.hostname);
  const loopback = isLoopbackHost(name);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback && policy.allowLoopback)) {
    throw refuseDestination('https', 'webhooks are sent to https URLs only');
  }
  if (loopback && !policy.allowLoopback) {
    throw refuseDestination('loopback', 'a loopback address requires INLAY_WEBHOOK_ALLOW_LOOPBACK=1');
  }
  if (url.port !== '' && !loopback) {
    throw refuseDestination('port', `port ${url.port} is not allowed, only 443`);
  }
  if (!loopback && ipaddr.isValid(name) && !isPublicAddress(name)) {
    throw refuseDestination('address', `${name} is not a public address`);
  }
  url.hash = '';
  return { url: url.href, host: url.host, loopback };
}

/** Whether a socket to `address` may serve `hostname`: loopback for a loopback name, public for any other. */
export function isPermittedAddress(hostname: string, address: string, policy: DestinationPolicy): boolean {
  return isLoopbackHost(bareHost(hostname))
    ? policy.allowLoopback && isLoopbackAddress(address)
    : isPublicAddress(address);
}

export function refuseDestination(rule: DestinationRule, reason: string): Error {
  return refuse('invalid_destination', `The webhook URL is not allowed: ${reason}.`, { rule });
}

function isLoopbackHost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(name);
}

function isLoopbackAddress(text: string): boolean {
  return ipaddr.isValid(text) && ipaddr.process(text).range() === 'loopback';
}

function bareHost(hostname: string): string {
  return hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

export type ResolveHost = (hostname: string) => Promise<readonly { readonly address: string }[]>;

const resolveHost: ResolveHost = (hostname) => systemLookup(hostname, { all: true });

/**
 * Checks a URL when it is registered or changed: first the text, then every address to which its name resolves now. A name that
 * does not exist is refused. If no resolver is reachable the URL is accepted, because every attempt checks the address again.
 * @returns the destination, and whether its name could be resolved
 * @throws `invalid_destination` with the rule that refused it
 */
export async function resolveDestination(
  text: string,
  policy: DestinationPolicy,
  resolve: ResolveHost = resolveHost,
): Promise<Destination & { readonly resolved: boolean }> {
  const destination = checkDestination(text, policy);
  const hostname = new URL(destination.url).hostname.replace(/^\[|\]$/g, '');
  let addresses: readonly { readonly address: string }[];
  try {
    addresses = await resolve(hostname);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTFOUND') {
      throw refuseDestination('resolution', `${hostname} does not exist`);
    }
    return { ...destination, resolved: false };
  }
  const refused = addresses.find(({ address }) => !isPermittedAddress(hostname, address, policy));
  if (refused !== undefined) {
    throw refuseDestination('address', `${hostname} resolves to ${refused.address}, not a public address`);
  }
  return { ...destination, resolved: addresses.length > 0 };
}
