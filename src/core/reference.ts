/**
 * The rule for ids and references that partners choose, shared by the server, the wire and the command line: the id of an
 * end user, `clientOrderId`, `reserveReference`. It is the same for a header, a path, a query and a body (contract 28.3).
 */

/**
 * 1 to 200 printable characters: no control, format or direction characters, no line separators, no unpaired
 * surrogates, no space at either end. Format characters are refused because they are invisible: two different ids would
 * look the same.
 */
export const REFERENCE = /^(?!\p{White_Space})[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]{1,200}(?<!\p{White_Space})$/u;

export const REFERENCE_RULE = '1 to 200 printable characters, no space at either end';

export function isReference(text: string): boolean {
  return REFERENCE.test(text);
}
