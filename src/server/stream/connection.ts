/**
 * The memory of the price stream: watched contracts with their newest event, groups of connections that watch the same
 * contracts, and the connections themselves. Nothing queues: for a reader that is behind, only the names of changed
 * contracts are kept, and it gets the newest price of each once its socket has room.
 */
import type { Socket } from 'node:net';
import { renderPrice } from '../../markets/catalogue/render-event.ts';
import { type BoardContract, isTradingOver } from '../../markets/event.ts';
import { publishedPrice } from '../../markets/prices/price-rules.ts';
import type { PriceView } from '../../wire/catalogue.ts';

/** A reader of the stream. */
export interface Connection {
  readonly socket: Socket;
  readonly group: Group;
  /** True for HTTP/1.1; a reader with HTTP/1.0 gets the plain bytes. */
  readonly chunked: boolean;
  /** Instruments whose changes it has missed; null while it keeps up. */
  missed: Set<Instrument> | null;
}

/** A contract that at least one connection watches. */
export interface Instrument {
  readonly contractId: string;
  readonly groups: Set<Group>;
  /** The newest price, as JSON text. */
  json: string;
  /** Undefined until the first change after the contract was first watched. */
  event: StreamEvent | undefined;
  /** Trading has stopped for good, as `closed` reported. */
  stopped: boolean;
  /** Milliseconds since 1970. Trading stops at this time without any change of the board. */
  closesAt: number;
}

/** Connections that watch the same contracts, as the readers of one page do. */
export interface Group {
  readonly key: string;
  readonly instruments: readonly Instrument[];
  readonly connections: Set<Connection>;
  /** Instruments whose newest event was not sent yet. */
  changed: Instrument[];
}

export function createConnection(socket: Socket, group: Group, chunked: boolean): Connection {
  return { socket, group, chunked, missed: null };
}

/** Sends an event. @returns false if the reader is behind, so that only its instruments were noted */
export function send(connection: Connection, event: StreamEvent, instruments: readonly Instrument[]): boolean {
  const { socket, missed } = connection;
  if (missed === null && socket.writableLength === 0) {
    socket.write(connection.chunked ? event.chunk : event.plain);
    return true;
  }
  if (missed === null) {
    connection.missed = new Set(instruments);
  } else {
    for (const instrument of instruments) {
      missed.add(instrument);
    }
  }
  return false;
}

/** Sends what the reader has missed, if its socket has room. @returns whether the reader keeps up again */
export function catchUp(connection: Connection): boolean {
  const { socket, missed } = connection;
  if (missed === null) {
    return true;
  }
  if (socket.writableLength > 0) {
    return false;
  }
  connection.missed = null;
  const events = newestEvents(missed);
  if (events.length > 0) {
    const event = joinEvents(events);
    socket.write(connection.chunked ? event.chunk : event.plain);
  }
  return true;
}

/** Sends a comment that keeps the connection alive, except to a reader that still has bytes to read. */
export function ping({ socket, chunked }: Connection, event: StreamEvent): void {
  if (socket.writableLength === 0) {
    socket.write(chunked ? event.chunk : event.plain);
  }
}

/** Ends the response of a reader that keeps up, and destroys the socket of a reader that does not. */
export function end({ socket, chunked, missed }: Connection): void {
  if (missed !== null || socket.writableLength > 0) {
    socket.destroy();
  } else if (chunked) {
    socket.end(LAST_CHUNK);
  } else {
    socket.end();
  }
}

/** Starts to watch a contract. Its price is rendered once for all readers, without the venue. */
export function createInstrument(contract: BoardContract, now: Date): Instrument {
  const view = viewOf(contract, now);
  return {
    contractId: contract.contractId,
    groups: new Set(),
    json: JSON.stringify(view),
    event: undefined,
    stopped: isTradingOver(contract, now),
    closesAt: contract.closesAt.getTime(),
  };
}

/**
 * Updates the instrument from the board.
 * @param contract undefined if the board no longer has it: trading has stopped
 * @returns whether there is a new event to send
 */
export function updateInstrument(
  instrument: Instrument,
  contract: BoardContract | undefined,
  now: Date,
  nextId: () => number,
): boolean {
  const view = contract === undefined ? dropped(instrument) : viewOf(contract, now);
  const json = JSON.stringify(view);
  const isStopped = contract === undefined || isTradingOver(contract, now);
  const wasStopped = instrument.stopped;
  if (json === instrument.json && isStopped === wasStopped) {
    return false;
  }
  instrument.json = json;
  instrument.stopped = isStopped;
  instrument.closesAt = contract?.closesAt.getTime() ?? instrument.closesAt;
  // No event is sent about a contract after `closed` until it is reopened.
  if (isStopped && wasStopped) {
    return false;
  }
  instrument.event = streamEvent(isStopped ? 'closed' : 'price', nextId(), json);
  return true;
}

function viewOf(contract: BoardContract, now: Date): PriceView {
  return renderPrice(contract, publishedPrice(contract, now));
}

function dropped(instrument: Instrument): PriceView {
  const last = JSON.parse(instrument.json) as PriceView;
  return {
    ...last,
    tradeable: false,
    tradingClosed: true,
    executableYesCents: null,
    executableNoCents: null,
    spreadCents: null,
  };
}

export function createGroup(key: string, instruments: readonly Instrument[]): Group {
  const group: Group = { key, instruments, connections: new Set(), changed: [] };
  for (const instrument of instruments) {
    instrument.groups.add(group);
  }
  return group;
}

/**
 * Takes the unsent changes of a group, joined once for all of its connections.
 * @returns undefined if there are none
 */
export function takeChanged(
  group: Group,
): { readonly event: StreamEvent; readonly instruments: readonly Instrument[] } | undefined {
  const instruments = group.changed;
  group.changed = [];
  const events = newestEvents(instruments);
  return events.length === 0 ? undefined : { event: joinEvents(events), instruments };
}

/** The newest event of each instrument, in order of id. */
function newestEvents(instruments: Iterable<Instrument>): StreamEvent[] {
  const events: StreamEvent[] = [];
  for (const { event } of instruments) {
    if (event !== undefined) {
      events.push(event);
    }
  }
  return events.sort((a, b) => a.id - b.id);
}

/** A server-sent event, or several, as bytes that every socket shares. */
interface StreamEvent {
  /** Ids rise during the life of the process and across restarts. */
  readonly id: number;
  /** The bytes as one chunk of the chunked transfer coding of HTTP/1.1. */
  readonly chunk: Buffer;
  /** The same bytes without the chunk, for HTTP/1.0. */
  readonly plain: Buffer;
}

const CRLF_LENGTH = 2;

function wrap(id: number, text: string): StreamEvent {
  const length = Buffer.byteLength(text);
  const size = `${length.toString(16)}\r\n`;
  const chunk = Buffer.allocUnsafeSlow(size.length + length + CRLF_LENGTH);
  chunk.write(size, 0, 'latin1');
  chunk.write(text, size.length, 'utf8');
  chunk.write('\r\n', size.length + length, 'latin1');
  return { id, chunk, plain: chunk.subarray(size.length, size.length + length) };
}

/** @param json one line of JSON text */
export function streamEvent(event: 'snapshot' | 'price' | 'closed', id: number, json: string): StreamEvent {
  return wrap(id, `id: ${id}\nevent: ${event}\ndata: ${json}\n\n`);
}

export const PING: StreamEvent = wrap(0, ': ping\n\n');
/** The chunk that ends a chunked response. */
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** Joins events in their order, so that each socket is written to once. */
function joinEvents(events: readonly StreamEvent[]): StreamEvent {
  const first = events[0];
  if (events.length === 1 && first !== undefined) {
    return first;
  }
  return {
    id: events.at(-1)?.id ?? 0,
    chunk: Buffer.concat(events.map(({ chunk }) => chunk)),
    plain: Buffer.concat(events.map(({ plain }) => plain)),
  };
}
