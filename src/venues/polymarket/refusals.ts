/**
 * Which of Polymarket's answers say that an order was not taken: its documented texts, as short codes, for they name addresses and
 * amounts. Any other text is no answer, and the order is looked up; so is one that says that the order waits or that its execution
 * failed half way, whatever its status. Pure.
 */

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^not enough balance \/ allowance/, 'insufficient_balance'],
  [/^order \S+ is invalid\. Price .*minimum tick size/, 'price_off_grid'],
  [/^order \S+ is invalid\. Size .*lower than the minimum/, 'below_minimum'],
  [/^no orders found to match with FAK order/, 'nothing_to_match'],
  [/^order couldn't be fully filled\./, 'nothing_to_match'],
  [/^(order \S+ crosses the book|invalid post-only order: order crosses book)/, 'crosses_book'],
  [/^the market is not yet ready to process new orders/, 'market_not_open'],
  [/^(\S+ )?address (banned|in closed only mode)/, 'account_restricted'],
  [
    /^the order (owner has to be the owner|(signer|maker) address (has to be|is not) the address) of the API KEY/,
    'invalid_signature',
  ],
  [/^maker address not allowed/, 'account_restricted'],
  [/^invalid expiration/, 'expired'],
  [/^Invalid order payload/, 'invalid_order'],
];

/** The same order is there already. */
const DUPLICATE = /^order \S+ is invalid\. Duplicated\./;

export const isDuplicate = (text: string): boolean => DUPLICATE.test(text);

/** They are documented, and say that the order waits or that its execution failed half way. */
const UNDECIDED = /^(order match delayed|error delaying the order|could not run the execution)/;

export const leavesUnknown = (text: string): boolean => UNDECIDED.test(text);

/** A text without the addresses and amounts that it names, so that it is one word each time. */
export const wordsOf = (text: string): string => text.replace(/0x[0-9a-f]+|[0-9][0-9.,]*/gi, '#');

/** @returns the reason of a refusal; undefined if the text decides nothing */
export function reasonOf(text: string): string | undefined {
  return REASONS.find(([pattern]) => pattern.test(text))?.[1];
}
