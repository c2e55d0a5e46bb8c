/** The categories of the catalogue in their canonical order (contract 5.11), with their displayed names. */

export const CATEGORIES = [
  'politics',
  'sports',
  'crypto',
  'economics',
  'finance',
  'technology',
  'science',
  'culture',
  'climate',
  'world',
] as const;
export type CategoryName = (typeof CATEGORIES)[number];

export const CATEGORY_LABELS: Readonly<Record<CategoryName, string>> = {
  politics: 'Politics',
  sports: 'Sports',
  crypto: 'Crypto',
  economics: 'Economics',
  finance: 'Finance',
  technology: 'Technology',
  science: 'Science',
  culture: 'Culture',
  climate: 'Climate',
  world: 'World',
};

export function isCategory(text: string): text is CategoryName {
  return Object.hasOwn(CATEGORY_LABELS, text);
}
