/** Verifies signatures as the exchange does: those of wallets (level 1), of requests (level 2), and of orders for each kind of wallet. */
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import type { Address, Hex } from 'viem';
import { recoverAddress } from 'viem/utils';
import {
  depositWalletDigest,
  depositWalletSignature,
  type OrderStruct,
  readPrivateKey,
  requestSignature,
  sentSignature,
  signedDigest,
  WALLET,
  walletDigest,
} from '../../venues/polymarket/sign.ts';
import type { Account, Credentials, ExchangeState } from './state.ts';

/** r, s, and 27 or 28. */
const SIGNATURE = /^0x[0-9a-f]{128}1[bc]$/i;
const SIGNATURE_DIGITS = 132;

/** A request is refused if its signature is older than this, or this far in the future. */
const MOST_SKEW_S = 60;

export interface ReceivedRequest {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  /** Exactly as it was received. */
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

/** The account of a request, and the address that signed it: the signer's, or that of the deposit wallet. */
interface Proved {
  readonly account: Account;
  /** In lower case. */
  readonly address: string;
}

export interface Caller extends Proved {
  readonly credentials: Credentials;
}

/** Level 1. @returns the account whose wallet signed the request; undefined if none did */
export async function walletOf(
  state: ExchangeState,
  { headers }: ReceivedRequest,
  now: Date,
): Promise<Proved | undefined> {
  const address = header(headers, 'poly_address').toLowerCase();
  const timestamp = header(headers, 'poly_timestamp');
  const nonce = header(headers, 'poly_nonce');
  if (!isFresh(timestamp, now) || !/^[0-9]{1,18}$/.test(nonce) || !/^0x[0-9a-f]{40}$/.test(address)) {
    return undefined;
  }
  const signature = header(headers, 'poly_signature') as Hex;
  const account = state.accounts.get(address);
  if (account !== undefined) {
    const digest = walletDigest(address as Address, timestamp, BigInt(nonce));
    return (await signerOf(digest, signature)) === address ? { account, address } : undefined;
  }
  const wallet = depositWalletAt(state, address);
  const signed = signature.slice(0, SIGNATURE_DIGITS) as Hex;
  const digest = depositWalletDigest(address as Address, timestamp, BigInt(nonce));
  const proves =
    wallet?.apiKeyBinding === 'wallet' &&
    depositWalletSignature(address as Address, timestamp, BigInt(nonce), signed) === signature.toLowerCase() &&
    (await signerOf(digest, signed)) === wallet.signer;
  return proves ? { account: wallet, address } : undefined;
}

function header(headers: IncomingHttpHeaders, name: string): string {
  return String(headers[name] ?? '');
}

function isFresh(timestamp: string, now: Date): boolean {
  return /^[0-9]{1,12}$/.test(timestamp) && Math.abs(now.getTime() / 1_000 - Number(timestamp)) <= MOST_SKEW_S;
}

/** @returns the address of the key that made the signature, in lower case; undefined if it is not a signature */
async function signerOf(hash: Hex, signature: string): Promise<string | undefined> {
  const address = SIGNATURE.test(signature)
    ? await recoverAddress({ hash, signature: signature as Hex }).catch(() => undefined)
    : undefined;
  return address?.toLowerCase();
}

function depositWalletAt({ accounts }: ExchangeState, address: string): Account | undefined {
  return [...accounts.values()].find(
    ({ funder, signatureType }) => signatureType === WALLET.deposit && funder === address,
  );
}

/** Level 2. @returns the account whose credentials signed the request; undefined if none did */
export function callerOf(state: ExchangeState, request: ReceivedRequest, now: Date): Caller | undefined {
  const { headers, method, path, text } = request;
  const address = header(headers, 'poly_address').toLowerCase();
  const own = state.accounts.get(address);
  const account = own ?? depositWalletAt(state, address);
  const timestamp = header(headers, 'poly_timestamp');
  const known = own === undefined ? account?.walletCredentials : own.credentials;
  const valid =
    account !== undefined &&
    known != null &&
    isFresh(timestamp, now) &&
    header(headers, 'poly_api_key') === known.apiKey &&
    header(headers, 'poly_passphrase') === known.passphrase &&
    header(headers, 'poly_signature') === requestSignature(known.secret, timestamp, method, path, text);
  return valid ? { account, address, credentials: known } : undefined;
}

/** @returns why the order's signature is not that of the account; null if it is */
export async function signatureFault(
  order: OrderStruct,
  contract: Address,
  signature: Hex,
  account: Account,
): Promise<string | null> {
  const ours = account.signatureType === WALLET.deposit ? account.funder : account.signer;
  if (account.signatureType === WALLET.deposit && order.signatureType === WALLET.own) {
    return 'maker address not allowed, please use the deposit wallet flow';
  }
  if (order.signatureType !== account.signatureType || order.maker.toLowerCase() !== account.funder) {
    return 'the order maker address is not the address of the API KEY';
  }
  if (order.signer.toLowerCase() !== ours) {
    return 'the order signer address has to be the address of the API KEY';
  }
  const signed = signature.slice(0, SIGNATURE_DIGITS) as Hex;
  const isWhole = sentSignature(order, contract, signed) === signature.toLowerCase();
  return isWhole && (await signerOf(signedDigest(order, contract), signed)) === account.signer
    ? null
    : 'invalid signature';
}

/**
 * Reads the address of a wallet from the file of its private key, so that the emulator knows who signs.
 *
 * @returns undefined if the file does not hold a key. Its text is never shown
 */
export function readWalletAddress(path: string): Address | undefined {
  try {
    return readPrivateKey(readFileSync(path, 'utf8')).address;
  } catch {
    return undefined;
  }
}
