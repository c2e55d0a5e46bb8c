/** The views of `top`, each behind a key. */

export const TOP_VIEWS = {
  o: 'overview',
  r: 'routes',
  t: 'tenants',
  n: 'orders',
  p: 'prices',
  w: 'hooks',
  s: 'stuck',
  d: 'due',
} as const;
export type TopViewKey = keyof typeof TOP_VIEWS;
