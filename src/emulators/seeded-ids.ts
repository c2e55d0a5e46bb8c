/** Ids and chances that follow from a seed, so that a run can be repeated. The three emulated exchanges use them, and the server that they share. */
import { createHash, randomBytes } from 'node:crypto';

export interface Seeded {
  /** A UUID. */
  next(): string;
  /** 32 bytes as hexadecimal digits after `0x`. */
  word(): string;
  secret(): string;
  /** 0 to below 1. */
  chance(): number;
}

/** @param seed undefined: every run differs */
export function seededIds(seed: number | undefined): Seeded {
  const base = seed === undefined ? randomBytes(16).toString('hex') : `seed-${seed}`;
  let count = 0;
  const draw = (): Buffer => {
    count += 1;
    return createHash('sha256').update(`${base}-${count}`).digest();
  };
  return {
    next: () => {
      const hex = draw().toString('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
    },
    word: () => `0x${draw().toString('hex')}`,
    secret: () => draw().toString('base64url'),
    chance: () => draw().readUInt32BE() / 2 ** 32,
  };
}
