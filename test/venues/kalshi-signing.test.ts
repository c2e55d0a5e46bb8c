/** Signatures of Kalshi's requests with both kinds of key that the exchange registers. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { readKalshiKey, signKalshi, verifyKalshi } from '../../src/venues/kalshi/rest.ts';

/** RFC 8410: what precedes the 32 bytes of a private key. */
const PKCS8 = '302e020100300506032b657004220420';
const seed = createHash('sha256').update('inlay kalshi ed25519 vector 1').digest('hex');
const der = createPrivateKey({ key: Buffer.from(PKCS8 + seed, 'hex'), format: 'der', type: 'pkcs8' });
const pem = String(der.export({ type: 'pkcs8', format: 'pem' }));
const NOW = 1_790_000_000_123;

/** Made by two implementations (node:crypto and OpenSSL), which agree; Ed25519 gives the same bytes each time. */
const VECTORS = [
  [
    'GET',
    '/trade-api/v2/portfolio/balance',
    'OyJv/wsngt3w12Yhdab1j+XW4Uv9vjqeSdvPeShpK96vGIVcPqyCi98X07xRrAJEBYLXgFggwMAV42jY0/VFCQ==',
  ],
  [
    'POST',
    '/trade-api/v2/portfolio/events/orders',
    'SqH+YtXXBhHTEX/D7kOgf6cj8DmIDjCBmI3ZL6GC6YBnRTAk3BbmvkbnplsKLJHGtcCJuse3a6UtKkZhqB2NDQ==',
  ],
  [
    'GET',
    '/trade-api/ws/v2',
    'NzmveYAKJb89Tpp5eUQk03EOPcKiwerNwbey37fb+IJYC3zj6uT+Sl2iwOwo+A6tNkaW7OfdfmaawnNhdoK5AA==',
  ],
  [
    'DELETE',
    '/trade-api/v2/portfolio/events/orders/3b23c1c7-f4ef-4f0d-8b9a-9e53c61f1a0d',
    'MHYIP1EZ9O9WmfT+2hxZRIbUzPm2fbXgtdfbsRL/VDGEhNHtgb/Obpaw5WqaR21ldlEcdHQy68cefvOgiEoHBA==',
  ],
] as const;

test.each(VECTORS)('an Ed25519 key signs %s %s as the exchange expects', (method, path, signature) => {
  expect(signKalshi(readKalshiKey(pem), 'id', NOW, method, `${path}?limit=1`)).toEqual({
    'kalshi-access-key': 'id',
    'kalshi-access-timestamp': String(NOW),
    'kalshi-access-signature': signature,
  });
});

test.each([
  ['Ed25519 in PKCS#8', pem],
  ['RSA in PKCS#8', rsa('pkcs8')],
  ['RSA in PKCS#1, as the exchange gives it out', rsa('pkcs1')],
])('%s: a signature holds for its own text alone', (_, text) => {
  const key = readKalshiKey(text);
  const signed = signKalshi(key, 'id', NOW, 'GET', '/trade-api/v2/portfolio/balance');
  const verify = (method: string, path: string) => verifyKalshi(createPublicKey(key), signed, method, path);
  expect(verify('GET', '/trade-api/v2/portfolio/balance?subaccount=1')).toBe(true);
  expect(verify('GET', '/trade-api/v2/portfolio/orders')).toBe(false);
  expect(verify('POST', '/trade-api/v2/portfolio/balance')).toBe(false);
});

test('a key of another kind is refused in words', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const other = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  expect(() => readKalshiKey(other)).toThrow('neither an Ed25519 nor an RSA key');
});

function rsa(type: 'pkcs8' | 'pkcs1'): string {
  return String(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type, format: 'pem' }));
}
