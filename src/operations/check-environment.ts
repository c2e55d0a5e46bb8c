/** Whether the configuration of this machine is safe to run with: the secret, the data folder, the proxies, the keys. */
import { statSync } from 'node:fs';
import { isLoopbackAddress } from '../core/addresses.ts';
import { type Environment, isWeakSecret } from '../core/environment.ts';
import { loadLogSigner } from '../ledger/log/sign-log.ts';
import { isReadableByOthers } from '../venues/key-file.ts';
import type { Check } from './check.ts';

export function checkEnvironment(environment: Environment): Check[] {
  return [
    checkSecret(environment),
    checkFolder(environment),
    checkProxies(environment),
    checkLogKey(environment),
    ...(environment.venues.includes('kalshi') ? [checkKalshiKey(environment)] : []),
    ...(environment.venues.includes('polymarket') ? [checkPolymarketKey(environment)] : []),
    ...(environment.venues.includes('gemini') ? [checkGeminiKey(environment)] : []),
  ];
}

/** In production the service refuses to start with a weak secret; elsewhere this is a warning. */
function checkSecret({ secret }: Environment): Check {
  const weak = secret !== undefined && isWeakSecret(secret);
  return {
    name: 'secret',
    ok: !weak,
    warning: true,
    detail: weak
      ? 'INLAY_SECRET can be guessed; "openssl rand -hex 32" prints a strong one (rotate with INLAY_SECRET_PREVIOUS)'
      : secret === undefined
        ? 'random, in the data folder'
        : 'INLAY_SECRET has 32 random bytes or more',
  };
}

function checkFolder({ dataDir }: Environment): Check {
  const folder = statSync(dataDir, { throwIfNoEntry: false });
  if (folder === undefined) {
    return { name: 'data folder', ok: true, detail: `${dataDir} is created on the first start` };
  }
  const own = process.getuid?.() === 0 || folder.uid === process.getuid?.();
  const closed = (folder.mode & 0o066) === 0;
  const detail = own ? (closed ? dataDir : `${dataDir} can be read by others`) : `${dataDir} belongs to another user`;
  return { name: 'data folder', ok: own && closed, detail };
}

/** A service that listens to the network usually has a proxy in front of it and then needs both variables. */
function checkProxies({ host, trustedProxies, publicOrigins }: Environment): Check {
  const name = 'proxies';
  if (host === 'localhost' || isLoopbackAddress(host)) {
    return { name, ok: true, detail: `listens on ${host} only` };
  }
  const missing = [
    ...(trustedProxies.length === 0
      ? ['INLAY_TRUSTED_PROXIES is not set: behind a proxy all clients share one address and one request budget']
      : []),
    ...(publicOrigins.length === 0
      ? ['INLAY_PUBLIC_URL is not set: behind a proxy, embed sessions that are bound to an origin cannot trade']
      : []),
  ];
  const detail =
    missing.length > 0
      ? `listens on ${host}; ${missing.join('; ')}`
      : `trusts ${trustedProxies.join(', ')}; reached as ${publicOrigins.join(', ')}`;
  return { name, ok: missing.length === 0, warning: true, detail };
}

/** Whether the key that signs checkpoints can be read. */
function checkLogKey(environment: Environment): Check {
  const name = 'log key';
  const { logKeyFile } = environment;
  try {
    loadLogSigner(environment, { current: '' });
    return { name, ok: true, detail: logKeyFile ?? 'checkpoints are signed with a key derived from INLAY_SECRET' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { name, ok: false, detail: `${reason}; feeds keep their last checkpoints` };
  }
}

/** Whether the key of Kalshi can be used: a file that only its owner can read. */
function checkKalshiKey({ venueSettings }: Environment): Check {
  const name = 'kalshi key';
  const { privateKeyFile: file } = venueSettings.kalshi;
  if (file === undefined) {
    return { name, ok: true, detail: 'not set: the venue is read only' };
  }
  return checkKeyFile(name, file);
}

/** Whether the wallet of Polymarket can be used: its key, and whose money it trades where that is another address. */
function checkPolymarketKey({ venueSettings }: Environment): Check {
  const name = 'polymarket key';
  const { privateKeyFile: file, funder, signatureType } = venueSettings.polymarket;
  if (file === undefined) {
    return { name, ok: true, detail: 'not set: the venue is read only' };
  }
  if (signatureType !== 0 && funder === undefined) {
    const detail = `INLAY_POLYMARKET_FUNDER is not set, so a wallet of kind ${signatureType} has no address that holds the money`;
    return { name, ok: false, detail };
  }
  return checkKeyFile(name, file);
}

/** Whether the secret of the key of Gemini can be used: a file that only its owner can read. */
function checkGeminiKey({ venueSettings }: Environment): Check {
  const name = 'gemini secret';
  const { keyId, secretFile: file } = venueSettings.gemini;
  return keyId === undefined || file === undefined
    ? { name, ok: true, detail: 'not set: the venue is read only' }
    : checkKeyFile(name, file);
}

function checkKeyFile(name: string, file: string): Check {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) {
    return { name, ok: false, detail: `${file} does not exist, so nothing can be sent` };
  }
  const open = isReadableByOthers(file);
  return { name, ok: !open, warning: true, detail: open ? `${file} can be read by others; set mode 0600` : file };
}
