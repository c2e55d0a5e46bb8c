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

export const SCOPES = [...DEFAULT_SCOPES, 'operator_book:read', 'operator_book:write'] as const;

export type Scope = (typeof SCOPES)[number];

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}
