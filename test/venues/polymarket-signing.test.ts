/** Signatures for Polymarket against recorded ones: the wallet, requests, and orders with their hashes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Address, Hex } from 'viem';
import { recoverAddress } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import {
  EXCHANGE,
  EXCHANGE_V3,
  NEG_RISK_EXCHANGE,
  type OrderStruct,
  orderHash,
  readPrivateKey,
  requestHeaders,
  requestSignature,
  signedDigest,
  signOrder,
  WALLET,
  walletDigest,
  walletHeaders,
} from '../../src/venues/polymarket/sign.ts';

interface Vectors {
  readonly private_key: string;
  readonly address: Address;
  readonly l1: { readonly timestamp: string; readonly digest: string; readonly signature: Hex };
  readonly l2: readonly {
    readonly secret: string;
    readonly timestamp: string;
    readonly method: string;
    readonly path: string;
    readonly body: string | null;
    readonly signature: string;
  }[];
  readonly orders: readonly {
    readonly label: string;
    readonly domain: { readonly verifyingContract: Address };
    readonly message: Readonly<Record<keyof OrderStruct, string>> & { readonly side: number };
    readonly order_hash_eq_orderID: string;
    readonly signature: string;
  }[];
  readonly deposit_wallet: { readonly order: Readonly<Record<keyof OrderStruct | 'signature', string>> };
  readonly sdk_crosscheck: {
    readonly hash: string;
    readonly sdk_order: Readonly<Record<keyof OrderStruct | 'signature', string>>;
    readonly http_requests: readonly {
      readonly method: string;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }[];
  };
}

const file = join(projectRoot, 'fixtures', 'polymarket', 'signing-vectors.json');
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors;
const { privateKey: key, address } = readPrivateKey(vectors.private_key);

function structOf(message: Readonly<Record<keyof OrderStruct, string | number>>): OrderStruct {
  return {
    salt: BigInt(message.salt),
    maker: message.maker as Address,
    signer: message.signer as Address,
    tokenId: String(message.tokenId),
    makerAmount: BigInt(message.makerAmount),
    takerAmount: BigInt(message.takerAmount),
    side: message.side === 0 || message.side === 'BUY' ? 'BUY' : 'SELL',
    signatureType: Number(message.signatureType),
    timestamp: BigInt(message.timestamp),
    metadata: message.metadata as Hex,
    builder: message.builder as Hex,
  };
}

test('the address follows from the key, and is written in mixed case', () => {
  expect(address).toBe(vectors.address);
});

test('the wallet signs what proves that it is ours', async () => {
  const { timestamp, digest, signature } = vectors.l1;
  expect(walletDigest(address, timestamp, 0n)).toBe(digest);
  expect((await walletHeaders(address, key, Number(timestamp) * 1_000)).poly_signature).toBe(signature);
});

test('the wallet signs as the published client does', async () => {
  const [{ headers }] = vectors.sdk_crosscheck.http_requests as [Vectors['sdk_crosscheck']['http_requests'][number]];
  const ours = await walletHeaders(vectors.address, key, Number(headers['poly_timestamp']) * 1_000);
  expect(ours).toEqual(Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-type')));
});

test.each(vectors.l2)('a request is signed with the secret: $method $path', (one) => {
  expect(requestSignature(one.secret, one.timestamp, one.method, one.path, one.body ?? '')).toBe(one.signature);
});

test('the query is not signed', () => {
  const [one] = vectors.l2 as [Vectors['l2'][number]];
  const credentials = { apiKey: 'a', secret: one.secret, passphrase: 'p' };
  const asked = { method: one.method, path: `${one.path}?market=0x1`, body: '' };
  const headers = requestHeaders(vectors.address, credentials, Number(one.timestamp) * 1_000, asked);
  expect(headers.poly_signature).toBe(one.signature);
});

describe.each(vectors.orders)('$label', ({ domain, message, order_hash_eq_orderID, signature }) => {
  const contract = domain.verifyingContract;
  const order = structOf(message);

  test('its hash is the id of the order', () => {
    expect(orderHash(order, contract)).toBe(order_hash_eq_orderID);
    expect([EXCHANGE, NEG_RISK_EXCHANGE]).toContain(domain.verifyingContract);
  });

  test('its signature is the recorded one and leads back to the signer', async () => {
    expect(await signOrder(order, contract, key)).toBe(signature);
    expect(await recoverAddress({ hash: signedDigest(order, contract), signature: signature as Hex })).toBe(address);
  });
});

const versions = JSON.parse(
  readFileSync(join(projectRoot, 'fixtures', 'polymarket', 'order-vectors.json'), 'utf8'),
) as Pick<Vectors, 'orders'>;

test.each(versions.orders)('$label: hash and signature are those of the published client', async (one) => {
  const { verifyingContract: contract } = one.domain;
  const order = structOf(one.message);
  expect([EXCHANGE, NEG_RISK_EXCHANGE, EXCHANGE_V3]).toContain(contract);
  expect(orderHash(order, contract)).toBe(one.order_hash_eq_orderID);
  expect(await signOrder(order, contract, key)).toBe(one.signature);
});

test('an order of the published client has the hash and the signature that we compute', async () => {
  const { sdk_order: sent, hash } = vectors.sdk_crosscheck;
  const order = structOf(sent);
  expect(orderHash(order, EXCHANGE)).toBe(hash);
  expect(await signOrder(order, EXCHANGE, key)).toBe(sent.signature);
});

test('a deposit wallet gets the signature wrapped in its own domain, as the published client makes it', async () => {
  const { order: sent } = vectors.deposit_wallet;
  const order = structOf(sent);
  expect(order.signatureType).toBe(WALLET.deposit);
  expect(await signOrder(order, EXCHANGE, key)).toBe(sent.signature);
  const signature = sent.signature.slice(0, 132) as Hex;
  expect(await recoverAddress({ hash: signedDigest(order, EXCHANGE), signature })).toBe(address);
});
