/**
 * Which of Gemini's answers say that an order was not taken: its documented words, in the form of its own answers. Any other word,
 * status or text is no answer, and the order is looked up. Pure.
 */
import { geminiRefusal } from './order-schemas.ts';

/** `DuplicateOrder` says that an order of this id is there, so it is not among these. */
const WORDS: ReadonlySet<string> = new Set([
  'ACCOUNT_RESTRICTED_SELL_ONLY',
  'InsufficientFunds',
  'InsufficientLiquidity',
  'InvalidInput',
  'InvalidPrice',
  'InvalidQuantity',
  'InvalidTotalSpend',
  'LimitPriceOffTick',
  'MarketClosed',
  'MarketNotOpen',
  'MustAccepTerms',
  'TERMS_NOT_ACCEPTED',
  'UnknownInstrument',
]);
/** Of the authentication, which comes before the order. */
const NOT_LOOKED_AT: ReadonlySet<string> = new Set(['InvalidNonce', 'MissingNonce', 'InvalidSignature', 'MissingRole']);

/** The word of a refusal in one of the exchange's own forms. */
export function wordOf(body: unknown): string | undefined {
  const said = geminiRefusal.safeParse(body).data;
  return said === undefined ? undefined : 'reason' in said ? String(said.reason) : String(said.error);
}

/** @returns the word of a refusal of an order; undefined if the answer decides nothing */
export function refusalOf(status: number, body: unknown): string | undefined {
  const word = status === 400 || status === 406 || status === 422 ? wordOf(body) : undefined;
  return word !== undefined && WORDS.has(word) ? word : undefined;
}

/** The exchange did not look at what was asked: nothing is wrong with an order. */
export function wasNotLookedAt(status: number, body: unknown): boolean {
  const word = status === 400 || status === 409 ? wordOf(body) : undefined;
  return word !== undefined && NOT_LOOKED_AT.has(word);
}
