/** Checks a URL when it is registered or changed: first the text, then every address to which its name resolves now. */
import { lookup as systemLookup } from 'node:dns/promises';
import {
  checkDestination,
  type Destination,
  type DestinationPolicy,
  isPermittedAddress,
  refuseDestination,
} from './destination.ts';

export type ResolveHost = (hostname: string) => Promise<readonly { readonly address: string }[]>;

const resolveHost: ResolveHost = (hostname) => systemLookup(hostname, { all: true });

/**
 * A name that does not exist is refused. If no resolver is reachable the URL is accepted, because every attempt checks
 * the address again.
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
