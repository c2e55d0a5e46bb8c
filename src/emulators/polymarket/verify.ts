/** Verifies requests and orders as the exchange does: the wallet's signature, the request's, and the order's for its kind of wallet. */
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { requestSignature, walletDigest } from '../../venues/polymarket/authentication.ts';
import { type OrderStruct, signedDigest, WALLET, wrapping } from '../../venues/polymarket/order-struct.ts';
import { addressOfKey, bytesOf, type Hex, hexOf, recoverAddress } from '../../venues/polymarket/typed-data.ts';
import type { Account, ExchangeState } from './state.ts';

/** A request that was signed longer ago, or later, is refused. */
const MOST_SKEW_S = 60;

export interface ReceivedRequest {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  /** Exactly as it was received. */
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

function header(headers: IncomingHttpHeaders, name: string): string {
  return String(headers[name] ?? '');
}

function isFresh(timestamp: string, now: Date): boolean {
  return /^[0-9]{1,12}$/.test(timestamp) && Math.abs(now.getTime() / 1_000 - Number(timestamp)) <= MOST_SKEW_S;
}

/** Level 1: whose wallet signed, if it did. */
export function walletOf(state: ExchangeState, { headers }: ReceivedRequest, now: Date): Account | undefined {
  const address = header(headers, 'poly_address').toLowerCase();
  const timestamp = header(headers, 'poly_timestamp');
  const nonce = header(headers, 'poly_nonce');
  if (!isFresh(timestamp, now) || !/^[0-9]{1,18}$/.test(nonce) || !/^0x[0-9a-f]{40}$/.test(address)) {
    return undefined;
  }
  const digest = walletDigest(address, timestamp, BigInt(nonce));
  return recoverAddress(digest, bytesOf(header(headers, 'poly_signature'))) === address
    ? state.accounts.get(address)
    : undefined;
}

/** Level 2: whose credentials signed, if they did. */
export function accountOf(state: ExchangeState, request: ReceivedRequest, now: Date): Account | undefined {
  const { headers, method, path, text } = request;
  const account = state.accounts.get(header(headers, 'poly_address').toLowerCase());
  const timestamp = header(headers, 'poly_timestamp');
  const known = account?.credentials;
  const valid =
    known != null &&
    isFresh(timestamp, now) &&
    header(headers, 'poly_api_key') === known.apiKey &&
    header(headers, 'poly_passphrase') === known.passphrase &&
    header(headers, 'poly_signature') === requestSignature(known.secret, timestamp, method, path, text);
  return valid ? account : undefined;
}

/** Why the order's signature is not that of the account; null if it is. */
export function signatureFault(
  order: OrderStruct,
  negRisk: boolean,
  signature: string,
  account: Account,
): string | null {
  const bytes = bytesOf(signature);
  const deposit = account.signatureType === WALLET.deposit;
  const ours = deposit ? account.funder : account.signer;
  if (order.signatureType !== account.signatureType || order.maker.toLowerCase() !== account.funder) {
    return 'the order maker address is not the address of the API KEY';
  }
  if (order.signer.toLowerCase() !== ours) {
    return 'the order signer address has to be the address of the API KEY';
  }
  const signed = deposit ? bytes.slice(0, 65) : bytes;
  const wrapped = !deposit || hexOf(bytes.slice(65)) === hexOf(wrapping(order, negRisk));
  return wrapped && recoverAddress(signedDigest(order, negRisk), signed) === account.signer
    ? null
    : 'invalid signature';
}

/**
 * The address of a wallet from the file of its private key, so that the emulator knows who signs.
 * @returns undefined if the file holds no key; its text is never shown.
 */
export function readWalletAddress(path: string): Hex | undefined {
  try {
    const digits = readFileSync(path, 'utf8').trim().replace(/^0x/, '');
    return /^[0-9a-fA-F]{64}$/.test(digits) ? addressOfKey(bytesOf(digits)) : undefined;
  } catch {
    return undefined;
  }
}
