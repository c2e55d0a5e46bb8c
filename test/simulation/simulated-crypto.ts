/** Stands in for `node:crypto` under the service: everything of it is real but chance, which the seed decides. */
import { Buffer } from 'node:buffer';
import { openChance } from '../support/random.ts';

export * from 'node:crypto';

let chance = openChance(0);

/** Begins the chance of a world. */
export function seedCrypto(seed: number): void {
  // apart from the chance of its events, which begins with the seed itself
  chance = openChance(~seed);
}

export function randomFillSync<T extends Uint8Array>(bytes: T): T {
  for (let at = 0; at < bytes.length; at += 1) {
    bytes[at] = chance.below(256);
  }
  return bytes;
}

export function randomBytes(count: number): Buffer {
  return randomFillSync(Buffer.alloc(count));
}

export function randomInt(end: number): number {
  return chance.below(end);
}

export function randomUUID(): string {
  const hex = randomBytes(16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
