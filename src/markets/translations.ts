/** The languages of the catalogue beside English, and the texts of an event and of a contract that exist in each. */

/** Contract 7.8, `locale`. */
export const LOCALES = ['es', 'pt', 'hr'] as const;
export type Locale = (typeof LOCALES)[number];

export interface EventTexts {
  readonly title: string | null;
  readonly subtitle: string | null;
}

export interface ContractTexts {
  readonly label: string | null;
  readonly yesLabel: string | null;
  readonly noLabel: string | null;
}
