/** Converts decimal texts of venues to bigint millionths, exactly or not at all. */

const DECIMAL = /^([0-9]*)(?:\.([0-9]*))?$/;

/** @returns undefined for text that is not a plain decimal, or that needs more than six decimal places */
export function decimalMicros(text: string): bigint | undefined {
  const match = DECIMAL.exec(text);
  const whole = match?.[1] ?? '';
  const places = (match?.[2] ?? '').replace(/0+$/, '');
  if (match === null || (whole === '' && match[2] === undefined) || places.length > 6 || whole.length > 12) {
    return undefined;
  }
  return BigInt(whole === '' ? '0' : whole) * 1_000_000n + BigInt(places.padEnd(6, '0'));
}

/** `12.5` of 12,500,000. */
export function microsDecimal(micros: bigint): string {
  const places = (micros % 1_000_000n).toString().padStart(6, '0').replace(/0+$/, '');
  return places === '' ? String(micros / 1_000_000n) : `${micros / 1_000_000n}.${places}`;
}
