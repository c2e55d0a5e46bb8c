/** One rule of the service, broken in one place, and what has to notice. */

export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Occurs once in the file. */
  readonly find: string;
  readonly replace: string;
  readonly foundBy: Finder;
}

/**
 * Seeds from 1 until one fails, at most so many; or a test file, where given those tests of it whose title has `title`; or a
 * test file that needs no database.
 */
export type Finder =
  | { readonly seeds: number }
  | { readonly test: string; readonly title?: string }
  | { readonly pure: string };

export const mutant = (name: string, file: string, find: string, replace: string, foundBy: Finder): Mutant => ({
  name,
  file,
  find,
  replace,
  foundBy,
});
