/** Amounts of dollars and cents in the formats of spreadsheets, read exactly: never as floats, never guessed. */

const PLAIN = /^(\d*)(?:[.,](\d*))?$/;
const GROUPED = /^(\d{1,3}(?:,\d{3})+)\.(\d*)$|^(\d{1,3}(?:\.\d{3})+),(\d*)$/;

/**
 * `12.30`, `12,3`, `-12`, `(12.30)`, `$1,234.50`, `1.234,50`; a blank cell is 0.
 * @returns cents; undefined if it is not an amount or has fractions of a cent.
 */
export function readAmount(cell: string): bigint | undefined {
  const text = cell.trim().replace(/^'(?=[=+\-@])/, '');
  if (text === '') {
    return 0n;
  }
  const inBrackets = /^\((.*)\)$/.exec(text)?.[1];
  const [, sign = '', digits = ''] = /^([+-]?)\s*\$?\s*(.*)$/.exec(inBrackets ?? text) ?? [];
  const grouped = GROUPED.exec(digits);
  const plain = grouped === null ? PLAIN.exec(digits) : null;
  const whole = (grouped?.[1] ?? grouped?.[3] ?? plain?.[1] ?? '').replaceAll(/[.,]/g, '');
  const fraction = (grouped?.[2] ?? grouped?.[4] ?? plain?.[2] ?? '').replace(/0+$/, '');
  if ((grouped === null && plain === null) || fraction.length > 2 || !/\d/.test(digits)) {
    return undefined;
  }
  const cents = BigInt(`${whole === '' ? '0' : whole}${fraction.padEnd(2, '0')}`);
  return (sign === '-') !== (inBrackets !== undefined) ? -cents : cents;
}
