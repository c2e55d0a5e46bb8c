/** Addresses in the mixed case of EIP-55, as the exchange writes them. Pure. */
import { type Hex, hexOf, textHash } from './typed-data.ts';

export function checksumAddress(address: string): Hex {
  const digits = address.slice(2).toLowerCase();
  const hash = hexOf(textHash(digits)).slice(2);
  return `0x${[...digits].map((digit, index) => (Number.parseInt(hash[index] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit)).join('')}`;
}
