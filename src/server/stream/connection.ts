/**
 * Writes to one reader of the price stream. While its socket still holds bytes that the reader has not taken, only the
 * names of changed contracts are kept, and the reader gets the newest price of each once there is room: nothing queues.
 */
import type { Socket } from 'node:net';
import { type Connection, type Group, type Instrument, newestEvents } from './group.ts';
import { joinEvents, LAST_CHUNK, type StreamEvent } from './stream-event.ts';

export function createConnection(socket: Socket, group: Group, chunked: boolean): Connection {
  return { socket, group, chunked, missed: null };
}

/** @returns false if the reader is behind, so that only the names of the instruments were kept. */
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

/** Sends what the reader has missed once there is room. @returns whether the reader keeps up again. */
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

/** Sends a comment that keeps the connection alive; a reader that is behind has bytes to read anyway. */
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
