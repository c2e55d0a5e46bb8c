/** Separators of thousands, for people: nothing else groups digits. */

const BETWEEN_THOUSANDS = /\B(?=(\d{3})+$)/g;

/** Groups the first number of a text: 1234567.50 reads 1,234,567.50. */
export function withThousands(value: string | number | bigint): string {
  return String(value).replace(/\d+/, (whole) => whole.replaceAll(BETWEEN_THOUSANDS, ','));
}
