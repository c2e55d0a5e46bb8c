/** What a key may do (specification "Authentication" 6). Deny by default: an empty list grants nothing. */

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
 * `embed_sessions:mint` mints and revokes embed sessions and does nothing else. It is for the server that hands out sessions: a key
 * with it need not hold `markets:read`, `quotes:write` and `orders:write`, which together mint too (specification "Embed sessions").
 */
export const SCOPES = [...DEFAULT_SCOPES, 'operator_book:read', 'operator_book:write', 'embed_sessions:mint'] as const;

export type Scope = (typeof SCOPES)[number];

const MINTING: readonly Scope[] = ['markets:read', 'quotes:write', 'orders:write'];

/** Whether a key of these scopes can mint embed sessions, which trade and read everything of the customer they are for. */
export function canMint(scopes: readonly string[]): boolean {
  return scopes.includes('embed_sessions:mint') || MINTING.every((scope) => scopes.includes(scope));
}

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}
