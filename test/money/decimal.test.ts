/** Decimals go in and out without losing a digit, and dinero.js prints what our own arithmetic says. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ceilDivide, formatDecimal, jsonNumber, numberToDecimalText, parseDecimal } from '../../src/money/decimal.ts';
import { feeRate, formatMinor, sumMinor } from '../../src/money/usd.ts';

describe('decimals', () => {
  test('come back as they went in', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 25n), 10n ** 25n), fc.integer({ min: 0, max: 12 }), (value, scale) => {
        expect(parseDecimal(formatDecimal(value, scale), scale, 'exact')).toBe(value);
      }),
    );
  });

  test('of a JavaScript number are its shortest text, without an exponent', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = numberToDecimalText(value);
        expect(text).toMatch(/^-?\d+(\.\d+)?$/);
        expect(Number(text)).toBe(value === 0 ? 0 : value);
      }),
    );
    expect([1e21, 1e-7, 0.1, 100].map(numberToDecimalText)).toEqual([
      '1000000000000000000000',
      '0.0000001',
      '0.1',
      '100',
    ]);
  });

  test('round in the given direction, negatives included', () => {
    const modes = ['half-up', 'floor', 'ceil'] as const;
    const round = (text: string) => modes.map((mode) => parseDecimal(text, 2, mode));
    expect(round('1.005')).toEqual([101n, 100n, 101n]);
    expect(round('1.0049')).toEqual([100n, 100n, 101n]);
    expect(round('-1.005')).toEqual([-100n, -101n, -100n]);
    expect(() => parseDecimal('1.005', 2, 'exact')).toThrow(RangeError);
    expect(parseDecimal('1.50000', 2, 'exact')).toBe(150n);
  });

  test.each(['', 'x', '1,5', 'NaN', 'Infinity', '1e', '--1', '0x10', '1e9999', '.', '1 2'])('refuse %j', (text) => {
    expect(() => parseDecimal(text, 2, 'floor')).toThrow(RangeError);
  });

  test('read signs, leading points, exponents and blanks around them', () => {
    const read = (text: string) => parseDecimal(text, 3, 'exact');
    expect(['+1.5', '-1.5', '.25', '5.', ' 7 ', '1e2', '1E+2', '25e-2', '-0'].map(read)).toEqual([
      1_500n,
      -1_500n,
      250n,
      5_000n,
      7_000n,
      100_000n,
      100_000n,
      250n,
      0n,
    ]);
  });

  test('take up to 512 digits, written out or by their exponent', () => {
    expect(parseDecimal('9'.repeat(512), 0, 'exact')).toBe(10n ** 512n - 1n);
    expect(parseDecimal(`${'9'.repeat(256)}.${'0'.repeat(128)}`, 0, 'exact')).toBe(10n ** 256n - 1n);
    expect(parseDecimal('1e511', 0, 'exact')).toBe(10n ** 511n);
    for (const long of ['9'.repeat(513), `${'9'.repeat(256)}.${'0'.repeat(129)}`, '1e512', '1e-512']) {
      expect(() => parseDecimal(long, 0, 'floor')).toThrow('not a decimal number');
    }
  });

  test('divide towards the ceiling of whole and broken quotients on both sides of nothing', () => {
    expect([7n, 6n, 1n, 0n, -1n, -6n, -7n].map((dividend) => ceilDivide(dividend, 3n))).toEqual([
      3n,
      2n,
      1n,
      0n,
      0n,
      -2n,
      -2n,
    ]);
  });

  test('say what they cannot read or hold', () => {
    expect(() => parseDecimal(`x${'y'.repeat(60)}`, 2, 'floor')).toThrow(
      new RangeError(`not a decimal number: x${'y'.repeat(39)}`),
    );
    expect(() => parseDecimal('1.005', 2, 'exact')).toThrow('more than 2 decimal places');
    expect(() => numberToDecimalText(Number.POSITIVE_INFINITY)).toThrow(new RangeError('not a finite number'));
  });

  // contract 2.1, contract 2.2
  test('as JSON numbers keep every digit, beyond what a double carries too', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 25n), 10n ** 25n), (value) => {
        const literal = JSON.stringify({ value: jsonNumber(value, 6) }).slice(9, -1);
        expect(parseDecimal(literal, 6, 'exact')).toBe(value);
        expect(literal).not.toMatch(/\.\d*0$/);
      }),
    );
    expect(JSON.stringify(jsonNumber(570_000n, 6))).toBe('0.57');
    expect(JSON.stringify(jsonNumber(1n, 7))).toBe('1e-7');
    expect(JSON.stringify([10n ** 15n - 1n, 10n ** 15n, 1n - 10n ** 15n].map((value) => jsonNumber(value, 6)))).toBe(
      '[999999999.999999,1000000000,-999999999.999999]',
    );
    // what a double carries stays a number that code can compare
    expect(jsonNumber(10n ** 15n, 6)).toBe(1_000_000_000);
    expect(JSON.stringify(jsonNumber(12_345_678_901_234_567_123_456n, 6))).toBe('12345678901234567.123456');
  });
});

describe('dollars', () => {
  const amount = fc.bigInt(-(10n ** 20n), 10n ** 20n);

  test('print as our own decimals do', () => {
    fc.assert(
      fc.property(amount, (value) => {
        expect(formatMinor(value)).toBe(formatDecimal(value, 2));
      }),
    );
  });

  test('add up without losing a cent', () => {
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 8 }), (values) => {
        expect(sumMinor(values)).toBe(values.reduce((sum, value) => sum + value, 0n));
      }),
    );
  });

  // contract 2.6
  test('carry a fee of 0 to 5000 basis points', () => {
    expect([0, 5_000].map(feeRate)).toEqual([0n, 5_000n]);
    for (const bad of [-1, 5_001, 1.5, Number.NaN]) {
      expect(() => feeRate(bad)).toThrow(RangeError);
    }
  });
});
