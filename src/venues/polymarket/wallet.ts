/** The signer's key in memory, read from its file, and whose money it trades. */
import type { Address, Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { getAddress } from 'viem/utils';
import type { PolymarketSettings } from '../../core/venue-settings.ts';
import { type KeyFile, openKeyFile } from '../key-file.ts';
import { WALLET } from './sign-order.ts';

export interface Signer {
  readonly privateKey: Hex;
  readonly address: Address;
}

export interface Wallet {
  readonly signatureType: number;
  /** @throws if the key file cannot be read. */
  signer(): Signer;
  /** Address that holds the money. @throws like `signer` */
  funder(): Address;
}

export function openWallet(settings: PolymarketSettings & { readonly privateKeyFile: string }): Wallet {
  const file: KeyFile<Signer> = openKeyFile(settings.privateKeyFile, readPrivateKey);
  return {
    signatureType: settings.signatureType,
    signer: () => file.key(),
    funder: () =>
      settings.funder === undefined || settings.signatureType === WALLET.own
        ? file.key().address
        : getAddress(settings.funder),
  };
}

/** @throws for what is no key, without quoting it. */
export function readPrivateKey(text: string): Signer {
  const digits = text.trim().replace(/^0x/, '');
  if (!/^[0-9a-fA-F]{64}$/.test(digits)) {
    throw new Error('not 64 hexadecimal digits');
  }
  const privateKey: Hex = `0x${digits}`;
  return { privateKey, address: privateKeyToAddress(privateKey) };
}
