/**
 * All that our key at Polymarket signs: the proof of the wallet that yields API credentials (level 1), every request with those
 * credentials (level 2), and orders, whose hash is their id at the exchange. The key is read from its file and kept in memory.
 * https://docs.polymarket.com, "Authentication", "Place an order", "API integrations of protocol V2"
 */
import { createHmac } from 'node:crypto';
import type { Address, Hex } from 'viem';
import { privateKeyToAddress, sign } from 'viem/accounts';
import { hashTypedData as hashInWallet, wrapTypedDataSignature } from 'viem/experimental/erc7739';
import { concat, encodeAbiParameters, getAddress, getCreate2Address, hashTypedData, keccak256, pad } from 'viem/utils';
import type { PolymarketSettings } from '../../core/venue-settings.ts';
import { type KeyFile, openKeyFile } from '../key-file.ts';

const CHAIN_ID = 137;

/** Contracts for markets of the first version of the protocol: ordinary ones, and those that exclude each other. */
export const EXCHANGE = '0xE111180000d2663C0091e4f400237545B87B996B';
export const NEG_RISK_EXCHANGE = '0xe2222d279d744050d28e00520010520000310F59';
/** Contract for markets of the second version. */
export const EXCHANGE_V3 = '0xe3333700cA9d93003F00f0F71f8515005F6c00Aa';
export const ZERO_WORD: Hex = `0x${'0'.repeat(64)}`;

/** Kinds of wallet that hold the money. */
export const WALLET = { own: 0, proxy: 1, safe: 2, deposit: 3 } as const;

export interface Signer {
  readonly privateKey: Hex;
  readonly address: Address;
}

export interface Wallet {
  readonly signatureType: number;
  /** Whether the address that holds the money is one that the exchange derives from the signer. @throws like `signer` */
  isKnown(): boolean;
  /** @throws if the key file cannot be read */
  signer(): Signer;
  /** Address that holds the money. @throws like `signer`, and if it belongs to a wallet of another kind than the one that is set */
  funder(): Address;
}

/** The key is read from its file at first use. */
export function openWallet(settings: PolymarketSettings & { readonly privateKeyFile: string }): Wallet {
  const file: KeyFile<Signer> = openKeyFile(
    'INLAY_POLYMARKET_PRIVATE_KEY_FILE',
    settings.privateKeyFile,
    readPrivateKey,
  );
  const { signatureType } = settings;
  const funder = settings.funder === undefined ? undefined : getAddress(settings.funder);
  let known: { readonly signer: Address; readonly kind: number | undefined } | undefined;

  function kind(): number | undefined {
    const { address } = file.key();
    if (known?.signer !== address) {
      known = { signer: address, kind: kindOf(address, funder ?? address) };
    }
    return known.kind;
  }

  return {
    signatureType,
    isKnown: () => kind() !== undefined,
    signer: () => file.key(),
    funder() {
      const is = kind();
      if (is !== undefined && is !== signatureType) {
        const why =
          funder === undefined ? 'INLAY_POLYMARKET_FUNDER is not set' : `INLAY_POLYMARKET_FUNDER is ${KINDS[is]}`;
        throw new Error(`INLAY_POLYMARKET_SIGNATURE_TYPE is ${signatureType} and should be ${is}: ${why}`);
      }
      const { address } = file.key();
      return signatureType === WALLET.own ? address : (funder ?? address);
    },
  };
}

const KINDS: Readonly<Record<number, string>> = {
  [WALLET.own]: 'the signer itself',
  [WALLET.proxy]: 'the proxy wallet of the signer',
  [WALLET.safe]: 'the Safe of the signer',
  [WALLET.deposit]: 'the deposit wallet of the signer',
};

const PROXY_FACTORY = '0xaB45c5A4B0c941a2F231C04C3f49182e1A254052';
const PROXY_CODE_HASH = '0xd21df8dc65880a8606f09fe0ce3df9b8869287ab0b058be05aa9e8af6330a00b';
const SAFE_FACTORY = '0xaacFeEa03eb1561C4e67d661e40682Bd20E3541b';
const SAFE_CODE_HASH = '0x2bce2127ff07fb632d16c8347c4ebf501f4841168bed00d9e6ef715ddb6fcecf';
const DEPOSIT_FACTORY = '0x00000000000Fb5C9ADea0298D729A0CB3823Cc07';
/** Code that deploys a deposit wallet, before its arguments: an ERC-1967 proxy of the implementation, and the later one of the beacon. */
const DEPOSIT_CODES: readonly Hex[] = [
  concat([
    '0x61007d3d8160233d3973',
    '0x58CA52ebe0DadfdF531Cde7062e76746de4Db1eB',
    '0x60095155f3363d3d373d3d363d7f360894a13ba1a3210667c828492db98dca3e2076',
    '0xcc3735a920a3ca505d382bbc545af43d6000803e6038573d6000fd5b3d6000f3',
  ]),
  concat([
    '0x6100923d8160233d3973',
    '0x7A18EDfe055488A3128f01F563e5B479D92ffc3a',
    '0x60195155f3363d3d373d3d363d602036600436635c60da',
    '0x1b60e01b36527fa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6c',
    '0xb3582b35133d50545afa5036515af43d6000803e604d573d6000fd5b3d6000f3',
  ]),
];

/**
 * The kind of wallet that an address is for a signer: the exchange derives the address of each kind from the signer's.
 * @returns undefined if it is none of them
 */
export function kindOf(signer: Address, wallet: Address): number | undefined {
  const owner = pad(signer, { size: 32 });
  const salted = encodeAbiParameters([{ type: 'address' }, { type: 'bytes32' }], [DEPOSIT_FACTORY, owner]);
  const created = (from: Address, salt: Hex, bytecodeHash: Hex) =>
    getCreate2Address({ from, salt: keccak256(salt), bytecodeHash });
  const kinds: readonly (readonly [Address, number])[] = [
    [signer, WALLET.own],
    [created(PROXY_FACTORY, signer, PROXY_CODE_HASH), WALLET.proxy],
    [created(SAFE_FACTORY, owner, SAFE_CODE_HASH), WALLET.safe],
    ...DEPOSIT_CODES.map((code): [Address, number] => [
      created(DEPOSIT_FACTORY, salted, keccak256(concat([code, salted]))),
      WALLET.deposit,
    ]),
  ];
  return kinds.find(([address]) => address.toLowerCase() === wallet.toLowerCase())?.[1];
}

/** @throws if the text is not a key, without quoting it */
export function readPrivateKey(text: string): Signer {
  const digits = text.trim().replace(/^0x/, '');
  if (!/^[0-9a-fA-F]{64}$/.test(digits)) {
    throw new Error('not 64 hexadecimal digits');
  }
  const privateKey: Hex = `0x${digits}`;
  return { privateKey, address: privateKeyToAddress(privateKey) };
}

export interface ApiCredentials {
  readonly apiKey: string;
  /** Base64 for URLs. */
  readonly secret: string;
  readonly passphrase: string;
}

interface WalletHeaders extends Readonly<Record<string, string>> {
  readonly poly_address: string;
  readonly poly_signature: Hex;
  readonly poly_timestamp: string;
  readonly poly_nonce: string;
}

/** Headers of level 1 for the wallet of the key itself. */
export async function walletHeaders(address: Address, privateKey: Hex, nowMs: number): Promise<WalletHeaders> {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signature = await sign({ hash: walletDigest(address, timestamp, 0n), privateKey, to: 'hex' });
  return headersOf(address, timestamp, signature);
}

/** Headers of level 1 for a deposit wallet, signed by its owner. */
export async function depositWalletHeaders(address: Address, privateKey: Hex, nowMs: number): Promise<WalletHeaders> {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signed = await sign({ hash: depositWalletDigest(address, timestamp, 0n), privateKey, to: 'hex' });
  return headersOf(address, timestamp, depositWalletSignature(address, timestamp, 0n, signed));
}

const headersOf = (address: Address, timestamp: string, signature: Hex): WalletHeaders => ({
  poly_address: address,
  poly_signature: signature,
  poly_timestamp: timestamp,
  poly_nonce: '0',
});

/** Digest that the wallet's own key signs. @param timestamp seconds since 1970. @throws for an address with a wrong checksum */
export function walletDigest(address: Address, timestamp: string, nonce: bigint): Hex {
  return hashTypedData(proof(address, timestamp, nonce));
}

/** Digest that the owner of a deposit wallet signs, so that the wallet's contract can verify it (ERC-7739). */
export function depositWalletDigest(address: Address, timestamp: string, nonce: bigint): Hex {
  return hashInWallet({ ...proof(address, timestamp, nonce), verifierDomain: depositWallet(address) });
}

/** @param signature of `depositWalletDigest`, 65 bytes. @returns the signature in the form that is sent */
export function depositWalletSignature(address: Address, timestamp: string, nonce: bigint, signature: Hex): Hex {
  return wrapTypedDataSignature({ ...proof(address, timestamp, nonce), signature });
}

const PROOF_DOMAIN = { name: 'ClobAuthDomain', version: '1', chainId: CHAIN_ID };
const PROOF_TYPES = {
  ClobAuth: [
    { name: 'address', type: 'address' },
    { name: 'timestamp', type: 'string' },
    { name: 'nonce', type: 'uint256' },
    { name: 'message', type: 'string' },
  ],
} as const;
const PROOF_MESSAGE = 'This message attests that I control the given wallet';

function proof(address: Address, timestamp: string, nonce: bigint) {
  const message = { address, timestamp, nonce, message: PROOF_MESSAGE };
  return { domain: PROOF_DOMAIN, types: PROOF_TYPES, primaryType: 'ClobAuth', message } as const;
}

interface RequestHeaders extends Readonly<Record<string, string>> {
  readonly poly_address: string;
  readonly poly_signature: string;
  readonly poly_timestamp: string;
  readonly poly_api_key: string;
  readonly poly_passphrase: string;
}

interface SignedRequest {
  readonly method: string;
  /** May have a query, which is not signed. */
  readonly path: string;
  readonly body: string;
}

/** Headers of level 2. @param address owner of the credentials */
export function requestHeaders(
  address: string,
  { apiKey, secret, passphrase }: ApiCredentials,
  nowMs: number,
  { method, path, body }: SignedRequest,
): RequestHeaders {
  const timestamp = String(Math.floor(nowMs / 1_000));
  return {
    poly_address: address,
    poly_signature: requestSignature(secret, timestamp, method, path.split('?')[0] ?? '', body),
    poly_timestamp: timestamp,
    poly_api_key: apiKey,
    poly_passphrase: passphrase,
  };
}

/** @param path without its query. @param body exactly as it is sent; empty if there is none */
export function requestSignature(
  secret: string,
  timestamp: string,
  method: string,
  path: string,
  body: string,
): string {
  const key = Buffer.from(secret, 'base64url');
  const signature = createHmac('sha256', key).update(`${timestamp}${method}${path}${body}`).digest('base64');
  return signature.replaceAll('+', '-').replaceAll('/', '_');
}

export interface OrderStruct {
  /** Below 2^53, because it is sent as a JSON number. */
  readonly salt: bigint;
  /** Holds the money. */
  readonly maker: Address;
  readonly signer: Address;
  readonly tokenId: string;
  /** Millionths that are given: dollars for a buy, shares for a sale. */
  readonly makerAmount: bigint;
  /** Millionths that are taken at the worst price. */
  readonly takerAmount: bigint;
  readonly side: 'BUY' | 'SELL';
  readonly signatureType: number;
  /** Milliseconds since 1970. */
  readonly timestamp: bigint;
  readonly metadata: Hex;
  readonly builder: Hex;
}

/** The order's id at the exchange. @param contract of the market's exchange. @throws for an address with a wrong checksum */
export function orderHash(order: OrderStruct, contract: Address): Hex {
  return hashTypedData(typedOrder(order, contract));
}

/** Signs an order. The same order always has the same signature. */
export async function signOrder(order: OrderStruct, contract: Address, privateKey: Hex): Promise<Hex> {
  return sentSignature(order, contract, await sign({ hash: signedDigest(order, contract), privateKey, to: 'hex' }));
}

/** Digest that the signer's key signs: the order's hash, or for a deposit wallet the order wrapped in the wallet's domain (ERC-7739). */
export function signedDigest(order: OrderStruct, contract: Address): Hex {
  if (order.signatureType !== WALLET.deposit) {
    return orderHash(order, contract);
  }
  return hashInWallet({
    ...typedOrder(order, contract),
    verifierDomain: depositWallet(order.signer),
  });
}

/**
 * @param signature 65 bytes
 * @returns the signature to send; for a deposit wallet it is followed by the data that its contract needs to rebuild the digest
 */
export function sentSignature(order: OrderStruct, contract: Address, signature: Hex): Hex {
  return order.signatureType === WALLET.deposit
    ? wrapTypedDataSignature({ ...typedOrder(order, contract), signature })
    : signature;
}

const ORDER_TYPES = {
  Order: [
    { name: 'salt', type: 'uint256' },
    { name: 'maker', type: 'address' },
    { name: 'signer', type: 'address' },
    { name: 'tokenId', type: 'uint256' },
    { name: 'makerAmount', type: 'uint256' },
    { name: 'takerAmount', type: 'uint256' },
    { name: 'side', type: 'uint8' },
    { name: 'signatureType', type: 'uint8' },
    { name: 'timestamp', type: 'uint256' },
    { name: 'metadata', type: 'bytes32' },
    { name: 'builder', type: 'bytes32' },
  ],
} as const;

function typedOrder(order: OrderStruct, contract: Address) {
  return {
    domain: {
      name: 'Polymarket CTF Exchange',
      version: contract === EXCHANGE_V3 ? '3' : '2',
      chainId: CHAIN_ID,
      verifyingContract: contract,
    },
    types: ORDER_TYPES,
    primaryType: 'Order',
    message: { ...order, tokenId: BigInt(order.tokenId), side: order.side === 'BUY' ? 0 : 1 },
  } as const;
}

/** The domain in which a deposit wallet verifies what its owner signed. */
const depositWallet = (address: Address) =>
  ({
    name: 'DepositWallet',
    version: '1',
    chainId: CHAIN_ID,
    verifyingContract: address,
    salt: ZERO_WORD,
  }) as const;
