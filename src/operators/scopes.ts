/** The scopes of a key (contract 34.5). Denied by default: an empty list grants nothing. */

export const DEFAULT_SCOPES = [
  'markets:read',
  'quotes:write',
  'orders:write',
  'orders:read',
  'positions:read',
  'settlements:read',
  'ledger:read',
  'funding:write',
] as const;

/**
 * `embed_sessions:mint` allows only minting and revoking embed sessions. It is meant for the server that issues
 * sessions: its key then does not need `markets:read`, `quotes:write` and `orders:write`, which together also allow
 * minting (contract 30.1).
 */
export const SCOPES = [...DEFAULT_SCOPES, 'operator_book:read', 'operator_book:write', 'embed_sessions:mint'] as const;

export type Scope = (typeof SCOPES)[number];

const MINTING: readonly Scope[] = ['markets:read', 'quotes:write', 'orders:write'];

/** Whether a key with these scopes can mint embed sessions, which can trade and read everything for their customer. */
export function canMint(scopes: readonly string[]): boolean {
  return scopes.includes('embed_sessions:mint') || MINTING.every((scope) => scopes.includes(scope));
}

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}
