/** Decimals and times of venues that are only read, as zod shapes: exactly, or refused. */

import { z } from 'zod';
import { ONE_DOLLAR_MICROS } from '../money/decimal.ts';
import { decimalMicros } from './decimal.ts';

function toMicros(text: string, context: z.RefinementCtx): bigint {
  const value = decimalMicros(text);
  if (value === undefined) {
    context.addIssue({ code: 'custom', message: 'not a plain decimal with at most six places' });
    return z.NEVER;
  }
  return value;
}

export const micros = z.string().transform(toMicros);
/** A number or a text. A number is parsed from its shortest decimal text. */
export const looseMicros = z.union([z.string(), z.number().transform(String)]).transform(toMicros);

/** 0 to 1. */
export const price = micros.refine(atMostDollar, 'a price above 1');
export const loosePrice = looseMicros.refine(atMostDollar, 'a price above 1');

export const time = z.iso.datetime().transform((text) => new Date(text));

function atMostDollar(value: bigint): boolean {
  return value <= ONE_DOLLAR_MICROS;
}
