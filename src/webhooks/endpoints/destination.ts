/**
 * Which URLs and addresses a delivery may be sent to. Pure: it resolves nothing; guarded-agent.ts applies the address
 * rule to every socket.
 */
import ipaddr from 'ipaddr.js';
import { isPublicAddress } from '../../core/addresses.ts';
import { refuse } from '../../core/errors.ts';

const MAX_URL_LENGTH = 2048;

export interface DestinationPolicy {
  /** Allows plain http and any port on loopback: for development machines. */
  readonly allowLoopback: boolean;
}

export interface Destination {
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
