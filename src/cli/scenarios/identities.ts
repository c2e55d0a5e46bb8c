/** The money identities of contract 1.5 to 1.7, checked for every money block of an answer. */
import type { JsonObject } from '../../core/json.ts';
import { cents, type Mismatch } from './match.ts';

type Block = JsonObject;

/** whole, parts */
const IDENTITIES: readonly (readonly [string, readonly string[]])[] = [
  ['authorizationAmount', ['actualDebit', 'releaseAmount']],
  ['actualDebit', ['tradeAmount', 'platformFee', 'venueFee']],
];

/** @returns the sums that are wrong. A block with a missing term is skipped. */
export function brokenIdentities(value: unknown, path = ''): Mismatch[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const here = IDENTITIES.flatMap(([whole, parts]) => broken(value as Block, whole, parts, path));
  const below = Object.entries(value).flatMap(([key, inner]) =>
    brokenIdentities(inner, path === '' ? key : `${path}.${key}`),
  );
  return [...here, ...exitMismatch(value as Block, path), ...below];
}

function broken(block: Block, whole: string, parts: readonly string[], path: string): Mismatch[] {
  const total = cents(block[whole]);
  const terms = parts.map((part) => cents(block[part]));
  if (total === undefined || terms.some((term) => term === undefined)) {
    return [];
  }
  const sum = terms.reduce<bigint>((all, term) => all + (term ?? 0n), 0n);
  if (sum === total) {
    return [];
  }
  return [
    {
      path: path === '' ? whole : `${path}.${whole}`,
      expected: `${parts.join(' + ')} = ${sum} cents`,
      actual: block[whole],
    },
  ];
}

/** On a sell the notional is outside the block, as a number for display. */
function exitMismatch(order: Block, path: string): Mismatch[] {
  const exit = order['operatorExitMoney'];
  if (typeof exit !== 'object' || exit === null || typeof order['notional'] !== 'number') {
    return [];
  }
  const terms = ['sellProceeds', 'platformFee', 'venueFee'].map((name) => cents((exit as Block)[name]) ?? 0n);
  const sum = terms.reduce((all, term) => all + term, 0n);
  if (sum === BigInt(Math.round(order['notional'] * 100))) {
    return [];
  }
  const at = path === '' ? 'notional' : `${path}.notional`;
  return [{ path: at, expected: `sellProceeds + platformFee + venueFee = ${sum} cents`, actual: order['notional'] }];
}
