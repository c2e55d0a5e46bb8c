/**
 * The HTTP client of deliveries. It resolves names and checks the addresses while connecting, and checks the socket's
 * own address again once it is connected, so a name that resolves differently in two look-ups has no effect. It follows
 * no redirect.
 */
import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { type DestinationPolicy, isPermittedAddress, refuseDestination } from '../endpoints/destination.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 4_000;

/** @param lookup resolves a name to addresses; tests pass one whose result changes */
export function createGuardedAgent(policy: DestinationPolicy, lookup: LookupFunction = systemLookup): Agent {
  const connectTo = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    allowH2: false,
    lookup: guardLookup(policy, lookup),
  });
  return new Agent({
    // One connection for each exchange in flight: endpoints on the same host never wait for each other's responses.
    connections: null,
    pipelining: 1,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: (options, callback) => {
      // An address written in the URL is not resolved, so it is checked here too.
      if (isIP(options.hostname) !== 0 && !isPermittedAddress(options.hostname, options.hostname, policy)) {
        callback(refuseDestination('address', `${options.hostname} is not a public address`), null);
        return;
      }
      connectTo(options, (error, socket) => {
        if (error !== null) {
          callback(error, null);
          return;
        }
        const address = socket.remoteAddress ?? '';
        if (isPermittedAddress(options.hostname, address, policy)) {
          callback(null, socket);
          return;
        }
        socket.destroy();
        callback(refuseDestination('address', `it connects to ${address || 'nowhere'}, not a public address`), null);
      });
    },
  });
}

function guardLookup(policy: DestinationPolicy, lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, [], 0);
        return;
      }
      const addresses = Array.isArray(found) ? found : [{ address: found, family: 4 }];
      const refused = addresses.find(({ address }) => !isPermittedAddress(hostname, address, policy));
      const first = addresses[0];
      if (refused !== undefined || first === undefined) {
        const where = refused?.address ?? 'no address';
        callback(refuseDestination('address', `${hostname} resolves to ${where}, not a public address`), [], 0);
      } else if (options.all === true) {
        callback(null, addresses);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };
}
