/**
 * What the price stream keeps in memory: the contracts that are watched, the connections, and groups of connections
 * that watch the same contracts, as the readers of one page do. The changes of a group are joined once for all of its
 * connections, and each socket is written to once.
 */
import type { Socket } from 'node:net';
import { joinEvents, type StreamEvent } from './stream-event.ts';

/** A contract that at least one connection watches; instrument.ts keeps it up to date. */
export interface Instrument {
  readonly contractId: string;
  readonly groups: Set<Group>;
  /** The newest price, as JSON text. */
  json: string;
  /** Undefined until the first change after the contract was first watched. */
  event: StreamEvent | undefined;
  /** Trading has stopped for good, which `closed` said. */
  stopped: boolean;
  /** Milliseconds since 1970. Trading stops at this time without any change of the board. */
  closesAt: number;
}

export interface Group {
  readonly key: string;
  readonly instruments: readonly Instrument[];
  readonly connections: Set<Connection>;
  /** Instruments whose newest event was not sent yet. */
  changed: Instrument[];
}

/** A reader of the stream; connection.ts writes to it. */
export interface Connection {
  readonly socket: Socket;
  readonly group: Group;
  /** True for HTTP/1.1; a reader with HTTP/1.0 gets the plain bytes. */
  readonly chunked: boolean;
  /** Instruments whose changes it has missed; null while it keeps up. */
  missed: Set<Instrument> | null;
}

export function createGroup(key: string, instruments: readonly Instrument[]): Group {
  const group: Group = { key, instruments, connections: new Set(), changed: [] };
  for (const instrument of instruments) {
    instrument.groups.add(group);
  }
  return group;
}

/** Takes what is due to be sent out of the group; undefined if there is nothing. */
export function takeChanged(
  group: Group,
): { readonly event: StreamEvent; readonly instruments: readonly Instrument[] } | undefined {
  const instruments = group.changed;
  group.changed = [];
  const events = newestEvents(instruments);
  return events.length === 0 ? undefined : { event: joinEvents(events), instruments };
}

/** The newest event of each instrument, in order of id. */
export function newestEvents(instruments: Iterable<Instrument>): StreamEvent[] {
  const events: StreamEvent[] = [];
  for (const { event } of instruments) {
    if (event !== undefined) {
      events.push(event);
    }
  }
  return events.sort((a, b) => a.id - b.id);
}
