/**
 * A venue that this cell reads through another cell. If nothing current comes from there for a while, this cell reads the venue
 * itself, and goes back once the other one has been complete for some seconds. Prices are never older than they say: a book counts
 * as received when the reader received it. Orders and our account are always asked for at the venue itself.
 */
import type { Clock, Ticks } from '../../core/clock.ts';
import type { Logger } from '../../core/log.ts';
import type { VenueBook } from '../listing.ts';
import type { Venue, Watch, WatchHandlers } from '../port.ts';
import type { ReaderMessage } from './messages.ts';
import type { ReaderCopy } from './reader-copy.ts';
import { followReader, type ReaderAccess, type ReaderFeed } from './reader-feed.ts';

/** A reader that is back must stay complete for so long before it is used instead of our own reading. */
const STEADY_MS = 3_000;

export interface FollowOptions {
  readonly access: ReaderAccess;
  /** After how long without current prices this cell reads the venue itself. */
  readonly takeOverMs: number;
  readonly clock: Clock;
  readonly ticks: Ticks;
  readonly log: Logger;
  /** Another cell trades in our account at the venue. */
  onSharedAccount(cell: string): void;
}

type Source = 'none' | 'reader' | 'own';

/** @param own the venue as this cell would read it itself */
export function followVenueOfCell(own: Venue, options: FollowOptions): Venue {
  let source: Source = 'none';
  let feed: ReaderFeed | undefined;

  async function watch(handlers: WatchHandlers): Promise<Watch> {
    const watching = watchEither(own, options, handlers, (now) => {
      source = now;
    });
    feed = watching.feed;
    return watching;
  }

  return {
    ...own,
    watch,
    async catalogue(held = []) {
      if (source === 'own' || feed === undefined) {
        return own.catalogue(held);
      }
      const copy = await feed.catalogue(held);
      return { events: [...copy.events.values()], invalid: [] };
    },
  };
}

function watchEither(
  own: Venue,
  { access, takeOverMs, clock, ticks, log, onSharedAccount }: FollowOptions,
  handlers: WatchHandlers,
  onSource: (source: Source) => void,
): Watch & { readonly feed: ReaderFeed } {
  const venue = own.name;
  let source: Source = 'none';
  let reader = '';
  let ownWatch: Promise<Watch> | undefined;
  let ownUp = false;
  /** Since when the reader is complete while we read ourselves. */
  let steadySince: number | undefined;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  function change(next: Source): void {
    source = next;
    onSource(next);
  }

  /** A reader that is lost again and again does not put it off. */
  function startTakeOver(): void {
    if (!closed && source === 'none') {
      timer ??= setTimeout(takeOver, takeOverMs);
    }
  }

  function stopTakeOver(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  function takeOver(): void {
    timer = undefined;
    log.warn({ venue }, 'no other cell passes this venue on; this cell reads it itself');
    change('own');
    ownWatch = own.watch({
      books: (books) => source === 'own' && handlers.books(books),
      changes: (changes) => source === 'own' && handlers.changes(changes),
      confirmed: (at) => source === 'own' && handlers.confirmed(at),
      up() {
        ownUp = true;
        if (source === 'own') {
          handlers.up();
        }
      },
      down(reason) {
        ownUp = false;
        if (source === 'own') {
          handlers.down(reason);
        }
      },
      invalid: handlers.invalid,
    });
  }

  async function stopOwn(): Promise<void> {
    const watch = await ownWatch;
    ownWatch = undefined;
    ownUp = false;
    await watch?.close();
  }

  /** Everything of the copy, as a new connection to the venue would give it. */
  function changeToReader(copy: ReaderCopy, receivedAt: Date): void {
    stopTakeOver();
    const wasOwn = source === 'own';
    if (wasOwn && ownUp) {
      handlers.down(`it is read through cell ${reader} again`);
    }
    change('reader');
    if (wasOwn) {
      stopOwn().catch((error: unknown) => log.warn({ err: error, venue }, 'could not end our own reading'));
    }
    handlers.books(received([...copy.books.values()], receivedAt));
    handlers.up(reader);
  }

  function takeMessage(message: ReaderMessage, copy: ReaderCopy, lateMs: number): void {
    const at = (age: number): Date => new Date(clock.now().getTime() - lateMs - age);
    if (message.type === 'down') {
      lost(`cell ${reader}: ${message.reason}`);
    } else if (source === 'reader') {
      pass(message, at);
    } else if (source === 'none' && copy.complete && 'age' in message) {
      changeToReader(copy, at(message.age));
    } else if (source === 'own' && copy.complete && message.type === 'confirmed') {
      steadySince ??= ticks();
      if (ticks() - steadySince >= STEADY_MS) {
        changeToReader(copy, at(message.age));
      }
    }
  }

  function pass(message: ReaderMessage, at: (age: number) => Date): void {
    if (message.type === 'books') {
      handlers.books(received(message.books, at(message.age)));
    } else if (message.type === 'events' && message.events.length > 0) {
      handlers.changes(message.events.map((event) => ({ type: 'event', event })));
    } else if (message.type === 'confirmed') {
      handlers.confirmed(at(message.age));
    }
  }

  function lost(reason: string): void {
    steadySince = undefined;
    if (source === 'reader') {
      change('none');
      handlers.down(reason);
    }
    startTakeOver();
  }

  const feed = followReader(venue, access, ticks, {
    hello(cell, sharedAccount) {
      reader = cell;
      if (sharedAccount !== null) {
        onSharedAccount(sharedAccount);
      }
    },
    message: takeMessage,
    lost,
  });
  startTakeOver();
  return {
    feed,
    get connected() {
      return source === 'reader' || (source === 'own' && ownUp);
    },
    async close() {
      closed = true;
      stopTakeOver();
      await Promise.all([feed.close(), stopOwn()]);
    },
  };
}

function received(books: readonly VenueBook[], receivedAt: Date): VenueBook[] {
  return books.map((book) => ({ ...book, receivedAt }));
}
