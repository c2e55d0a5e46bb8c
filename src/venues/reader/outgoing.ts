/**
 * What one follower must still be sent. Only names of what changed are kept, each once, and the newest value is read when there
 * is room: memory is bounded by the catalogue, however slowly the follower reads. No I/O.
 */
import type { UnsentMessage } from './messages.ts';
import type { Publication, Subscriber } from './publication.ts';

const EVENTS_IN_LINE = 50;
const BOOKS_IN_LINE = 300;

export interface Outgoing extends Subscriber {
  /** The next message, of what is newest now; undefined while there is nothing to send. */
  next(): UnsentMessage | undefined;
}

/**
 * Begins with everything that the publication has.
 * @param wake called when there is something to send
 */
export function collectOutgoing(publication: Publication, ticks: () => number, wake: () => void): Outgoing {
  const changed = new Set(publication.events.keys());
  const gone = new Set<string>();
  const books = new Set(publication.books.keys());
  let downBecause: string | undefined;
  let up = publication.connected;
  let read: number | undefined = publication.reads === 0 ? undefined : publication.reads;
  let confirmed = false;

  const age = (): number => Math.max(0, ticks() - publication.aliveAt);

  function take(names: Set<string>, most: number): string[] {
    const some: string[] = [];
    for (const name of names) {
      if (some.length === most) {
        break;
      }
      names.delete(name);
      some.push(name);
    }
    return some;
  }

  /** In this order: a follower never gets a book of an event that it does not know, or is up before it has all books. */
  function next(): UnsentMessage | undefined {
    if (downBecause !== undefined) {
      const reason = downBecause;
      downBecause = undefined;
      return { type: 'down', reason };
    }
    if (changed.size > 0 || gone.size > 0) {
      const events = take(changed, EVENTS_IN_LINE).flatMap((id) => publication.events.get(id) ?? []);
      return { type: 'events', events, gone: take(gone, EVENTS_IN_LINE) };
    }
    if (read !== undefined) {
      const number = read;
      read = undefined;
      return { type: 'read', number };
    }
    if (books.size > 0) {
      const some = take(books, BOOKS_IN_LINE).flatMap((id) => publication.books.get(id) ?? []);
      return { type: 'books', books: some, age: age() };
    }
    if (up) {
      up = false;
      return { type: 'up' };
    }
    if (confirmed) {
      confirmed = false;
      return { type: 'confirmed', age: age() };
    }
    return undefined;
  }

  return {
    next,
    events(ids, gones) {
      for (const id of ids) {
        changed.add(id);
        gone.delete(id);
      }
      for (const id of gones) {
        changed.delete(id);
        gone.add(id);
      }
      wake();
    },
    books(ids) {
      for (const id of ids) {
        books.add(id);
      }
      wake();
    },
    read(number) {
      read = number;
      wake();
    },
    up() {
      up = true;
      wake();
    },
    down(reason) {
      downBecause = reason;
      up = false;
      confirmed = false;
      books.clear();
      wake();
    },
    confirmed() {
      confirmed = true;
      wake();
    },
  };
}
