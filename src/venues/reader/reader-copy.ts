/** What a follower has received of a venue: the whole catalogue and the books of the reader's connection. No I/O. */
import type { VenueBook, VenueEvent } from '../listing.ts';
import type { ReaderMessage } from './messages.ts';

export interface ReaderCopy {
  readonly events: ReadonlyMap<string, VenueEvent>;
  readonly books: ReadonlyMap<string, VenueBook>;
  /** The newest read of the catalogue that is here whole; 0 before the first. */
  readonly reads: number;
  /** Whether the reader's connection to the venue is up and everything of it is here. */
  readonly complete: boolean;
  take(message: ReaderMessage): void;
}

export function createReaderCopy(): ReaderCopy {
  const events = new Map<string, VenueEvent>();
  const books = new Map<string, VenueBook>();
  let reads = 0;
  let up = false;
  return {
    events,
    books,
    get reads() {
      return reads;
    },
    get complete() {
      return up && reads > 0;
    },
    take(message) {
      switch (message.type) {
        case 'events':
          for (const event of message.events) {
            events.set(event.eventId, event);
          }
          for (const eventId of message.gone) {
            events.delete(eventId);
          }
          return;
        case 'books':
          for (const book of message.books) {
            books.set(book.listingId, book);
          }
          return;
        case 'read':
          reads = message.number;
          return;
        case 'up':
          up = true;
          return;
        case 'down':
          up = false;
          books.clear();
          return;
        default:
      }
    },
  };
}
