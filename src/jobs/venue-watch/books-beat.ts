/**
 * What a worker knows of the books: which they are, how far the clock of the database is away, and at which venues trading has
 * stopped. It beats in the database, and the watches of venues read it. Decides nothing.
 */

import type { Logger } from '../../core/log.ts';
import { type ClockOffset, measureOffset } from '../../core/time.ts';
import type { Beat, Witness } from '../../db/books-witness.ts';
import type { Sql } from '../../db/client.ts';
import { listStops, type TradingStop } from '../../trading/account/trading-stop.ts';
import { agrees, type Clocks, DATABASE_GOOD_MS } from './clock-agreement.ts';

export interface BooksBeatPorts extends Clocks {
  readonly sql: Sql;
  readonly log: Logger;
  readonly witness: Witness;
}

export interface BooksBeat {
  /** Reads the clock of the database, the books and the stops. @throws if the database does not answer */
  beat(): Promise<void>;
  /** Reads the stops alone. */
  readStops(): Promise<void>;
  /** The server, timeline and epoch of the books at the last beat; undefined before the first. */
  books(): string | undefined;
  /** Whether the clock of the database is known to agree with ours. */
  clockAgrees(): boolean;
  stopOf(venue: string): TradingStop | undefined;
}

export function createBooksBeat(ports: BooksBeatPorts): BooksBeat {
  const { sql, log, witness } = ports;
  let database: ClockOffset | undefined;
  let books: string | undefined;
  let stops = new Map<string, TradingStop>();
  let beats: Promise<void> = Promise.resolve();

  async function readStops(): Promise<void> {
    stops = new Map((await listStops(sql)).map((stop) => [stop.venue, stop]));
  }

  async function beatOnce(): Promise<void> {
    let heartbeat: Beat | undefined;
    database = await measureOffset(ports, async () => {
      heartbeat = await witness.beat();
      return heartbeat.at;
    });
    if (heartbeat?.lost) {
      log.fatal(
        { epoch: heartbeat.epoch },
        'the database lost commits that it had acknowledged; a new epoch of the books begins',
      );
    } else if (books !== undefined && heartbeat?.books !== books) {
      log.warn(
        { books: heartbeat?.books },
        'the books are on another server; venues are compared before anything is sent',
      );
    }
    books = heartbeat?.books;
    await readStops();
  }

  return {
    // one after the other: what the witness has seen is one file
    beat: () => {
      const next = beats.then(beatOnce);
      beats = next.catch(() => undefined);
      return next;
    },
    readStops,
    books: () => books,
    clockAgrees: () => agrees(database, DATABASE_GOOD_MS, ports),
    stopOf: (venue) => stops.get(venue),
  };
}
