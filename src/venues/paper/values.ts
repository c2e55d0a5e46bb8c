/** The plain values of the paper venue's JSON: decimal strings come out as bigint millionths, exactly or not at all. */

import { z } from 'zod';
import { ONE_DOLLAR_MICROS } from '../../money/decimal.ts';

export const micros = z.string().transform((text, context) => {
  const match = /^(0|[1-9][0-9]{0,11})(?:\.([0-9]{1,6}))?$/.exec(text);
  if (match === null) {
    context.addIssue({ code: 'custom', message: 'not a plain decimal with at most six places' });
    return z.NEVER;
  }
  return BigInt(match[1] ?? '0') * ONE_DOLLAR_MICROS + BigInt((match[2] ?? '').padEnd(6, '0'));
});
export const price = micros.refine((value) => value <= ONE_DOLLAR_MICROS, 'a price above 1');
export const quantity = micros.refine((value) => value > 0n, 'a quantity of 0');
export const time = z.iso.datetime().transform((text) => new Date(text));
export const text = z.string().min(1).max(500);
