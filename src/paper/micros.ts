/**
 * Millionths, in which every room of the paper venue counts prices and sizes: converted from decimal texts and back
 * without binary fractions.
 */

/** One dollar and one contract, in millionths. */
export const DOLLAR = 1_000_000;
export const CONTRACT = 1_000_000;

const DECIMAL = /^(0|[1-9][0-9]{0,8})(?:\.([0-9]{1,6}))?$/;

/** @returns millionths, or undefined if the text is not a plain decimal with at most six decimal places */
export function parseMicros(text: string): number | undefined {
  const match = DECIMAL.exec(text);
  if (match === null) {
    return undefined;
  }
  return Number(match[1]) * DOLLAR + Number((match[2] ?? '').padEnd(6, '0'));
}

/** @param micros a whole number of millionths, not negative */
export function formatMicros(micros: number): string {
  const whole = Math.floor(micros / DOLLAR);
  const rest = micros - whole * DOLLAR;
  return rest === 0 ? String(whole) : `${whole}.${String(rest).padStart(6, '0').replace(/0+$/, '')}`;
}
