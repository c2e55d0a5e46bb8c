/**
 * The messages with which the cell that reads a venue passes it on. Each is one line. `n` counts the lines of a connection from 1,
 * so that a missing one is noticed; `t` is when it was written, in milliseconds of a clock of the reader that only runs forwards.
 */
import { z } from 'zod';
import type { VenueBook, VenueEvent } from '../listing.ts';
import { bookShape, eventShape } from './listing-json.ts';

/** Raised when a message changes its meaning. Cells of different versions read the venue themselves. */
export const PROTOCOL = 1;
/** A follower hears something at least this often. */
export const BEAT_MS = 1_000;

const line = { n: z.number().int().positive(), t: z.number() };
/** How long ago the reader knew that the venue still said so, in milliseconds. */
const age = z.number().nonnegative();

export const messageShape = z.discriminatedUnion('type', [
  z.strictObject({
    ...line,
    type: z.literal('hello'),
    protocol: z.literal(PROTOCOL),
    venue: z.string(),
    cell: z.string(),
    /** A cell that trades in the follower's account at the venue; null if none is known. */
    sharedAccount: z.string().nullable(),
  }),
  /** Events that are new or changed, whole, and ids of those that are no longer listed. */
  z.strictObject({ ...line, type: z.literal('events'), events: z.array(eventShape), gone: z.array(z.string()) }),
  z.strictObject({ ...line, type: z.literal('books'), books: z.array(bookShape), age }),
  /** The whole catalogue was read for the `number`th time, and everything it said was sent. */
  z.strictObject({ ...line, type: z.literal('read'), number: z.number().int().positive() }),
  z.strictObject({ ...line, type: z.literal('up') }),
  z.strictObject({ ...line, type: z.literal('down'), reason: z.string() }),
  z.strictObject({ ...line, type: z.literal('confirmed'), age }),
  z.strictObject({ ...line, type: z.literal('beat') }),
]) satisfies z.ZodType<ReaderMessage>;

/** A message before it has its place in a connection. */
export type UnsentMessage =
  | {
      readonly type: 'hello';
      readonly protocol: typeof PROTOCOL;
      readonly venue: string;
      readonly cell: string;
      readonly sharedAccount: string | null;
    }
  | { readonly type: 'events'; readonly events: readonly VenueEvent[]; readonly gone: readonly string[] }
  | { readonly type: 'books'; readonly books: readonly VenueBook[]; readonly age: number }
  | { readonly type: 'read'; readonly number: number }
  | { readonly type: 'up' }
  | { readonly type: 'down'; readonly reason: string }
  | { readonly type: 'confirmed'; readonly age: number }
  | { readonly type: 'beat' };

export type ReaderMessage = UnsentMessage & { readonly n: number; readonly t: number };

/** What a follower asks for when it needs results of listings that the catalogue may no longer contain. */
export const heldShape = z.strictObject({
  cell: z.string().min(1).max(64),
  listings: z.array(z.string()).max(100_000),
});
/** The read of the catalogue that contains them. */
export const heldAnswerShape = z.strictObject({ read: z.number().int().positive() });
export const PURPOSE_OF_TOKEN = 'venue reader';
