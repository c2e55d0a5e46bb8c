/** Decimal texts and millionths, the venue's own way of writing prices and sizes. No binary fraction passes through. */

const DECIMAL = /^(0|[1-9][0-9]{0,8})(?:\.([0-9]{1,6}))?$/;

/** @returns millionths, or undefined where the text is no plain decimal with at most six places. */
export function parseMicros(text: string): number | undefined {
  const match = DECIMAL.exec(text);
  if (match === null) {
    return undefined;
  }
  return Number(match[1]) * 1_000_000 + Number((match[2] ?? '').padEnd(6, '0'));
}

/** @param micros a whole number of millionths, not negative. */
export function formatMicros(micros: number): string {
  const whole = Math.floor(micros / 1_000_000);
  const rest = micros - whole * 1_000_000;
  return rest === 0 ? String(whole) : `${whole}.${String(rest).padStart(6, '0').replace(/0+$/, '')}`;
}
