/** The address of a wallet from the file of its private key, so that the emulator knows who signs. */
import { readFileSync } from 'node:fs';
import { addressOfKey, bytesOf, type Hex } from '../../venues/polymarket/typed-data.ts';

/** @returns undefined where the file holds no key; its text is never shown. */
export function readWalletAddress(path: string): Hex | undefined {
  try {
    const digits = readFileSync(path, 'utf8').trim().replace(/^0x/, '');
    return /^[0-9a-fA-F]{64}$/.test(digits) ? addressOfKey(bytesOf(digits)) : undefined;
  } catch {
    return undefined;
  }
}
