/** Decimals and times of venues that are only read, as zod shapes: exactly, or refused. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { projectRoot } from '../core/environment.ts';
import { MICRO_SCALE, ONE_DOLLAR_MICROS, parseDecimal, shortDecimal } from '../money/decimal.ts';
import type { Invalid, VenueMarket, VenueStatus } from './listing.ts';
import { type Note, VenueUnknown } from './port.ts';

function toMicros(text: string, context: z.RefinementCtx): bigint {
  const value = decimalMicros(text);
  if (value === undefined) {
    context.addIssue({ code: 'custom', message: 'not a plain decimal with at most six places' });
    return z.NEVER;
  }
  return value;
}

/** No sign and no exponent: the exchanges send neither. */
const PLAIN = /^[0-9]{0,12}(?:\.[0-9]*)?$/;

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

/** More than any list of an account or catalogue has. */
const MOST_PAGES = 10_000;

/** @returns the cursor of the next page; undefined after the last one. @throws VenueUnknown if the list does not end */
export type NextPage = (cursor: string | null | undefined) => string | undefined;

/**
 * Follows a venue's list from page to page. A venue that gives the same cursor twice would otherwise be read without end.
 *
 * @param about which list, for the evidence
 * @param last the cursor of a last page, besides none and an empty one
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

/**
 * Which fields the exchanges' documents name, by the shapes that are kept of them (fixtures/venues). A field beyond them is noted, and ignored.
 *
 * @param document by the name of its file
 * @param schema by the name that the document gives it, such as `Market`
 * @param raw items as they came
 * @param seen fields that the exchange's answers have, although its document does not name them
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

// What a venue does not say of itself and what follows from what it says. Pure.

/** The liveliest status among the contracts of an event. */
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

/** The address of a picture; null for a text that is none, such as a path of the venue's own site. */
export function pictureOf(text: string | null | undefined): string | null {
  return text != null && URL.canParse(text) ? text : null;
}

/** A last price of 0 or 1 means that there is none. */
export function lastPriceOf(price: bigint | null | undefined): bigint | null {
  return price == null || price === 0n || price === ONE_DOLLAR_MICROS ? null : price;
}

// Reads a venue's response and validates it against the expected shape. What does not match is kept verbatim as
// evidence.

/** JSON in which a whole number beyond 2^53 is read as its text, because ids have more digits than a number keeps. @throws SyntaxError for what is no JSON */
export function parseExact(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
      ? (context?.source ?? value)
      : value,
  );
}

/** @returns undefined for what is no JSON */
export function jsonOf(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

export interface Validated<T> {
  readonly good: T[];
  readonly invalid: Invalid[];
}

/** @param about what the items are, for the evidence */
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
 * @param about what was requested, for the evidence
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
 * One item of a list of everybody's: what does not fit is somebody else's and left out, unless it has to be read.
 * @throws VenueUnknown if it has to and cannot be
 */
export function readable<T>(venue: string, list: string, shape: z.ZodType<T>, raw: unknown, mustFit: boolean): T[] {
  const item = shape.safeParse(raw);
  return item.success ? [item.data] : mustFit ? [expectShape(venue, list, shape, raw)] : [];
}

export function misfit(venue: string, about: string, reason: string, raw: unknown): VenueUnknown {
  return new VenueUnknown(venue, `${about}: ${reason}`, { evidence: { about, reason, raw } });
}

// Converts decimal texts of venues to bigint millionths, exactly or not at all.

/** @returns undefined for text that is not a plain decimal, or that needs more than six decimal places */
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

/** `12.5` of 12,500,000. */
export function microsDecimal(micros: bigint): string {
  return shortDecimal(micros, MICRO_SCALE);
}
