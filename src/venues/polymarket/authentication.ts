/**
 * The two levels of authentication at Polymarket. Level 1 proves the wallet's key and yields API credentials; level 2 signs each
 * request with them. Pure. https://docs.polymarket.com, "Authentication"
 */
import { createHmac } from 'node:crypto';
import type { Address, Hex } from 'viem';
import { sign } from 'viem/accounts';
import { hashTypedData as hashInWallet, wrapTypedDataSignature } from 'viem/experimental/erc7739';
import { hashTypedData } from 'viem/utils';
import { CHAIN_ID, depositWallet } from './sign-order.ts';

const DOMAIN = { name: 'ClobAuthDomain', version: '1', chainId: CHAIN_ID };
const TYPES = {
  ClobAuth: [
    { name: 'address', type: 'address' },
    { name: 'timestamp', type: 'string' },
    { name: 'nonce', type: 'uint256' },
    { name: 'message', type: 'string' },
  ],
} as const;
const MESSAGE = 'This message attests that I control the given wallet';

export interface ApiCredentials {
  readonly apiKey: string;
  /** Base64 for URLs. */
  readonly secret: string;
  readonly passphrase: string;
}

function proof(address: Address, timestamp: string, nonce: bigint) {
  const message = { address, timestamp, nonce, message: MESSAGE };
  return { domain: DOMAIN, types: TYPES, primaryType: 'ClobAuth', message } as const;
}

/** @param timestamp seconds since 1970. @throws for an address with a wrong checksum */
export function walletDigest(address: Address, timestamp: string, nonce: bigint): Hex {
  return hashTypedData(proof(address, timestamp, nonce));
}

/** What the owner of a deposit wallet signs, so that the wallet's contract can verify it (ERC-7739). */
export function depositWalletDigest(address: Address, timestamp: string, nonce: bigint): Hex {
  return hashInWallet({ ...proof(address, timestamp, nonce), verifierDomain: depositWallet(address) });
}

/** @param signature of `depositWalletDigest`, 65 bytes. @returns what is sent of it */
export function depositWalletSignature(address: Address, timestamp: string, nonce: bigint, signature: Hex): Hex {
  return wrapTypedDataSignature({ ...proof(address, timestamp, nonce), signature });
}

export interface WalletHeaders extends Readonly<Record<string, string>> {
  readonly poly_address: string;
  readonly poly_signature: Hex;
  readonly poly_timestamp: string;
  readonly poly_nonce: string;
}

/** Headers of level 1 of the wallet that the key itself is. */
export async function walletHeaders(address: Address, privateKey: Hex, nowMs: number): Promise<WalletHeaders> {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signature = await sign({ hash: walletDigest(address, timestamp, 0n), privateKey, to: 'hex' });
  return headersOf(address, timestamp, signature);
}

/** Headers of level 1 of a deposit wallet, signed by its owner. */
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

/** @param path without its query. @param body exactly as it is sent; empty if there is none. */
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

export interface RequestHeaders extends Readonly<Record<string, string>> {
  readonly poly_address: string;
  readonly poly_signature: string;
  readonly poly_timestamp: string;
  readonly poly_api_key: string;
  readonly poly_passphrase: string;
}

export interface SignedRequest {
  readonly method: string;
  /** May have a query, which is not signed. */
  readonly path: string;
  readonly body: string;
}

/** Headers of level 2. @param address that the credentials belong to. */
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
