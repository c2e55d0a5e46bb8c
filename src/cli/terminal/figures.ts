/** Figures for people: horizontal bars in steps of an eighth of a character, and separators of thousands. */

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const FULL = '█';
const STEPS = 8n;

/**
 * @param amount cents; the length of the bar is its size without the sign
 * @param highest cents; the largest size of all bars, which fills the width
 * @param width characters
 * @returns at least the thinnest bar for an amount other than 0
 */
export function bar(amount: bigint, highest: bigint, width: number): string {
  const size = amount < 0n ? -amount : amount;
  if (size === 0n || highest <= 0n) {
    return '';
  }
  const steps = (size * BigInt(width) * STEPS) / highest;
  const shown = Number(steps === 0n ? 1n : steps);
  return `${FULL.repeat(Math.floor(shown / Number(STEPS)))}${EIGHTHS[shown % Number(STEPS)] ?? ''}`;
}

/**
 * A bar beside a line at zero: a loss is on its left.
 * @param half characters of each side
 */
export function barAroundZero(amount: bigint, highest: bigint, half: number): string {
  const size = bar(amount, highest, half);
  return amount < 0n ? `${FULL.repeat(size.length).padStart(half)}│` : `${' '.repeat(half)}│${size}`;
}

const BETWEEN_THOUSANDS = /\B(?=(\d{3})+$)/g;

/** Groups the digits of the first number of a text: 1234567.50 becomes 1,234,567.50. */
export function withThousands(value: string | number | bigint): string {
  return String(value).replace(/\d+/, (whole) => whole.replaceAll(BETWEEN_THOUSANDS, ','));
}
