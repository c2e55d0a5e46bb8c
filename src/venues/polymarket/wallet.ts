/** The signer's key in memory, read from its file, and whose money it trades. Reads the curve's code only when it is used. */
import type { PolymarketSettings } from '../../core/venue-settings.ts';
import { type KeyFile, openKeyFile } from '../key-file.ts';
import { checksumAddress } from './checksum-address.ts';
import { WALLET } from './order-struct.ts';
import { addressOfKey, bytesOf, type Hex } from './typed-data.ts';

export interface Signer {
  readonly privateKey: Uint8Array;
  readonly address: Hex;
}

export interface Wallet {
  readonly signatureType: number;
  /** @throws if the key file cannot be read. */
  signer(): Signer;
  /** Address that holds the money. @throws like `signer` */
  funder(): string;
}

export function openWallet(settings: PolymarketSettings & { readonly privateKeyFile: string }): Wallet {
  const file: KeyFile<Signer> = openKeyFile(settings.privateKeyFile, readPrivateKey);
  return {
    signatureType: settings.signatureType,
    signer: () => file.key(),
    funder: () =>
      settings.funder === undefined || settings.signatureType === WALLET.own
        ? file.key().address
        : checksumAddress(settings.funder),
  };
}

/** @throws for what is no key, without quoting it. */
function readPrivateKey(text: string): Signer {
  const digits = text.trim().replace(/^0x/, '');
  if (!/^[0-9a-fA-F]{64}$/.test(digits)) {
    throw new Error('not 64 hexadecimal digits');
  }
  const privateKey = bytesOf(digits);
  return { privateKey, address: checksumAddress(addressOfKey(privateKey)) };
}
