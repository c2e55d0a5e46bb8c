/** A real paper venue on a real socket, and the adapter in front of it. */
import type { Journal } from '../../src/paper/journal.ts';
import { openPaperVenue, type PaperVenue } from '../../src/paper/venue.ts';
import type { Invalid, VenueBook, VenueChange } from '../../src/venues/listing.ts';
import type { Venue, WatchHandlers } from '../../src/venues/port.ts';
import { openVenues } from '../../src/venues/registry.ts';
import { askVenue, fixtures, PAPER_TOKEN, SECRETS } from '../paper/support.ts';
import { forgetfulJournal } from '../support/forgetful-journal.ts';
import { venueAccess } from '../support/venue-access.ts';

export interface Running {
  venue: PaperVenue;
  adapter: Venue;
  control(path: string, body: object): Promise<Record<string, unknown>>;
  /** Ends the venue and opens another one in its place, on another port. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function startVenue(options: { moving?: boolean; journal?: () => Journal } = {}): Promise<Running> {
  const open = () =>
    openPaperVenue({
      fixtures,
      venue: 'paper',
      secrets: SECRETS,
      seed: 'test',
      journal: options.journal?.() ?? forgetfulJournal(),
      now: () => Date.now(),
      moving: options.moving ?? false,
    });
  const running = { venue: await open() };
  const venues = openVenues(['paper'], async () => running.venue.url, venueAccess(PAPER_TOKEN));
  return {
    get venue() {
      return running.venue;
    },
    adapter: venues.get('paper'),
    control: async (path, body) => {
      const response = await askVenue(running.venue.url, `/control/${path}`, body);
      return (await response.json()) as Record<string, unknown>;
    },
    restart: async () => {
      await running.venue.close();
      running.venue = await open();
    },
    close: async () => {
      await venues.close();
      await running.venue.close();
    },
  };
}

/** Everything a watch said, kept for looking at. */
export class Seen implements WatchHandlers {
  readonly books_ = new Map<string, VenueBook>();
  readonly changes_: VenueChange[] = [];
  readonly invalid_: Invalid[] = [];
  readonly log: string[] = [];
  confirmedAt: Date | undefined;

  books(books: readonly VenueBook[]): void {
    for (const book of books) {
      this.books_.set(book.listingId, book);
    }
  }
  changes(changes: readonly VenueChange[]): void {
    this.changes_.push(...changes);
  }
  confirmed(at: Date): void {
    this.confirmedAt = at;
  }
  up(): void {
    this.log.push('up');
  }
  down(reason: string): void {
    this.log.push(`down: ${reason}`);
  }
  invalid(evidence: Invalid): void {
    this.invalid_.push(evidence);
  }
}

/** A listing whose book is ordinary. */
export function someListing(venue: PaperVenue, part = 'recession'): string {
  const found = [...venue.exchange.contracts.keys()].find((id) => id.includes(part));
  if (found === undefined) {
    throw new Error(`no listing with ${part} in its id`);
  }
  return found;
}
