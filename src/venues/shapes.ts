/**
 * Reads the responses of venues: strictly by their shape, decimals exactly, lists to their end. A part that does not match is kept verbatim
 * as evidence and never coerced.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { projectRoot } from '../core/environment.ts';
import { MICRO_SCALE, ONE_DOLLAR_MICROS, parseDecimal, shortDecimal } from '../money/decimal.ts';
import type { Invalid, VenueMarket, VenueStatus } from './listing.ts';
import { type Note, VenueUnknown } from './port.ts';

/**
 * Validates a response as a whole.
 * @param about the request, for the evidence
 * @throws VenueUnknown if the response does not match
 */
export function expectShape<T>(venue: string, about: string, shape: z.ZodType<T>, body: unknown): T {
  const result = shape.safeParse(body);
  if (!result.success) {
    throw misfit(venue, about, z.prettifyError(result.error), body);
  }
  return result.data;
}

/**
 * Validates one item of a list that may also contain items of other senders. An item that does not match is omitted, unless it must be
 * readable.
 * @returns the item, or nothing
 * @throws VenueUnknown if an item that must be readable does not match
 */
export function readable<T>(venue: string, list: string, shape: z.ZodType<T>, raw: unknown, mustFit: boolean): T[] {
  const item = shape.safeParse(raw);
  return item.success ? [item.data] : mustFit ? [expectShape(venue, list, shape, raw)] : [];
}

/** The error for a response that does not match, with the response as evidence. */
export function misfit(venue: string, about: string, reason: string, raw: unknown): VenueUnknown {
  return new VenueUnknown(venue, `${about}: ${reason}`, { evidence: { about, reason, raw } });
}

interface Validated<T> {
  readonly good: T[];
  readonly invalid: Invalid[];
}

/** Validates the items of a list one by one. @param about kind of the items, for the evidence */
export function validateItems<T>(about: string, shape: z.ZodType<T>, items: readonly unknown[]): Validated<T> {
  const good: T[] = [];
  const invalid: Invalid[] = [];
  for (const raw of items) {
    const result = shape.safeParse(raw);
    if (result.success) {
      good.push(result.data);
    } else {
      invalid.push({ about, reason: z.prettifyError(result.error), raw });
    }
  }
  return { good, invalid };
}

/**
 * Parses JSON. A whole number beyond 2^53 becomes its text, because ids have more digits than a number keeps.
 * @throws SyntaxError if the text is not JSON
 */
export function parseExact(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
      ? (context?.source ?? value)
      : value,
  );
}

/** @returns undefined if the text is not JSON */
export function jsonOf(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Millionths, from a decimal text with at most six places. */
export const micros = z.string().transform(toMicros);
/** Like `micros`, also from a number, which is parsed from its shortest decimal text. */
export const looseMicros = z.union([z.string(), z.number().transform(String)]).transform(toMicros);

/** Millionths of a dollar, from a decimal between 0 and 1. */
export const price = micros.refine(atMostDollar, 'a price above 1');
export const loosePrice = looseMicros.refine(atMostDollar, 'a price above 1');

export const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

function toMicros(text: string, context: z.RefinementCtx): bigint {
  const value = decimalMicros(text);
  if (value === undefined) {
    context.addIssue({ code: 'custom', message: 'not a plain decimal with at most six places' });
    return z.NEVER;
  }
  return value;
}

/** A decimal without sign and exponent, because the exchanges send neither. */
const PLAIN = /^[0-9]{0,12}(?:\.[0-9]*)?$/;

/** Converts a decimal text to millionths. @returns undefined if it is not a plain decimal, or has more than six decimal places */
export function decimalMicros(text: string): bigint | undefined {
  if (!PLAIN.test(text)) {
    return undefined;
  }
  try {
    return parseDecimal(text, MICRO_SCALE, 'exact');
  } catch (error) {
    if (error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

function atMostDollar(value: bigint): boolean {
  return value <= ONE_DOLLAR_MICROS;
}

/** The decimal text of millionths: `12.5` for 12,500,000. */
export function microsDecimal(micros: bigint): string {
  return shortDecimal(micros, MICRO_SCALE);
}

/** More pages than any list of an account or catalogue has. */
const MOST_PAGES = 10_000;

/** @returns the cursor of the next page; undefined after the last one. @throws VenueUnknown if the list does not end */
type NextPage = (cursor: string | null | undefined) => string | undefined;

/**
 * Follows a venue's list from page to page. A repeated cursor is an error, because the list would never end.
 *
 * @param about the list, for the evidence
 * @param last a further cursor that marks the last page, besides a missing and an empty one
 */
export function nextPageOf(venue: string, about: string, last = ''): NextPage {
  const followed = new Set<string>();
  return (cursor) => {
    if (cursor == null || cursor === '' || cursor === last) {
      return undefined;
    }
    if (followed.has(cursor) || followed.size >= MOST_PAGES) {
      throw misfit(venue, about, 'the list does not end', { cursor });
    }
    followed.add(cursor);
    return cursor;
  };
}

/**
 * Notes the fields of items that the exchange's document does not name (fixtures/venues has the shapes of the documents).
 *
 * @param document name of its file
 * @param schema name in the document, for example `Market`
 * @param raw unparsed items
 * @param seen fields that are known although the document does not name them
 */
export function noteFields(
  note: Note,
  document: 'gemini' | 'gemini-rest' | 'kalshi' | 'polymarket-clob' | 'polymarket-gamma',
  schema: string,
  raw: readonly unknown[],
  seen: ReadonlySet<string> = new Set(),
): void {
  const known = fieldsOf(document, schema);
  for (const item of raw) {
    for (const field of typeof item === 'object' && item !== null ? Object.keys(item) : []) {
      if (!known.has(field) && !seen.has(field)) {
        note(`field of ${schema}`, field);
      }
    }
  }
}

interface Shapes {
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
}

const shapes = new Map<string, Shapes>();

function fieldsOf(document: string, schema: string): ReadonlySet<string> {
  const read = () =>
    JSON.parse(readFileSync(join(projectRoot, 'fixtures', 'venues', `${document}.json`), 'utf8')) as Shapes;
  const known = shapes.get(document) ?? read();
  shapes.set(document, known);
  return new Set(Object.keys(known.components.schemas[schema]?.properties ?? {}));
}

/** The status of an event: the most active one among its contracts. */
export function statusOfAll(markets: readonly VenueMarket[]): VenueStatus {
  const order: readonly VenueStatus[] = ['open', 'paused', 'closed', 'resolved'];
  return order.find((status) => markets.some((market) => market.status === status)) ?? 'voided';
}

/** An event is open from the first opening of its contracts to their last close. */
export function timesOfAll(markets: readonly VenueMarket[]): { opensAt: Date; closesAt: Date } {
  return {
    opensAt: new Date(Math.min(...markets.map((market) => market.opensAt.getTime()))),
    closesAt: new Date(Math.max(...markets.map((market) => market.closesAt.getTime()))),
  };
}

/** The address of a picture; null for any other text, such as a path on the venue's site. */
export function pictureOf(text: string | null | undefined): string | null {
  return text != null && URL.canParse(text) ? text : null;
}

/** A last price of 0 or 1 means that there was no trade. */
export function lastPriceOf(price: bigint | null | undefined): bigint | null {
  return price == null || price === 0n || price === ONE_DOLLAR_MICROS ? null : price;
}
