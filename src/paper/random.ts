/**
 * Seeded random numbers for the paper venue, so that a run can be repeated. They are never used for ids of orders or
 * for secrets.
 */

export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Standard normal. */
  normal(): number;
  /** The inner state, from which the numbers continue after a restart. */
  readonly state: RandomState;
}

export type RandomState = [number, number, number, number];

/** sfc32: small, fast, passes PractRand; 128 bits of state. */
export function createRandom(state: RandomState): Random {
  const inner = state;
  function next(): number {
    const sum = (inner[0] + inner[1] + inner[3]) | 0;
    inner[3] = (inner[3] + 1) | 0;
    inner[0] = inner[1] ^ (inner[1] >>> 9);
    inner[1] = (inner[2] + (inner[2] << 3)) | 0;
    inner[2] = ((inner[2] << 21) | (inner[2] >>> 11)) + sum;
    return (sum >>> 0) / 4_294_967_296;
  }
  return {
    next,
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    state: inner,
  };
}

/** The initial state for a seed: three FNV-1a hashes of the text with different bases, and a counter. */
export function stateOf(seed: string): RandomState {
  const state: RandomState = [hash(seed, 0x811c9dc5), hash(seed, 0x1000193), hash(seed, 0x9e3779b9), 1];
  const random = createRandom(state);
  for (let round = 0; round < 12; round += 1) {
    random.next();
  }
  return state;
}

/** A number in [0, 1) that is always the same for the same text. */
export function unitOf(text: string): number {
  return createRandom(stateOf(text)).next();
}

function hash(text: string, basis: number): number {
  let value = basis;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value | 0;
}
