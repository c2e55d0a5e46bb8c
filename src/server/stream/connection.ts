/**
 * One reader of the price stream. While its socket still holds bytes that the reader has not taken, only the names of
 * what changed are kept, and it gets the newest price of each when it has room again: nothing ever queues up.
 */
import type { Socket } from 'node:net';
import { type Frame, joinFrames, LAST_CHUNK } from './frame.ts';
import { framesOf, type Group } from './group.ts';
import type { Instrument } from './instrument.ts';

export interface Connection {
  readonly socket: Socket;
  readonly group: Group;
  /** HTTP/1.1; a reader of HTTP/1.0 gets the plain bytes. */
  readonly chunked: boolean;
  /** What it has missed; null while it keeps up. */
  missed: Set<Instrument> | null;
  /** Milliseconds of `performance.now()` since when it takes nothing. */
  missedSince: number;
}

export function createConnection(socket: Socket, group: Group, chunked: boolean): Connection {
  return { socket, group, chunked, missed: null, missedSince: 0 };
}

/** @returns false where the reader is behind, and only the names were kept. */
export function send(connection: Connection, frame: Frame, instruments: readonly Instrument[]): boolean {
  const { socket, missed } = connection;
  if (missed === null && socket.writableLength === 0) {
    socket.write(connection.chunked ? frame.chunk : frame.plain);
    return true;
  }
  if (missed === null) {
    connection.missed = new Set(instruments);
    connection.missedSince = performance.now();
  } else {
    for (const instrument of instruments) {
      missed.add(instrument);
    }
  }
  return false;
}

/** Sends what was missed once there is room. @returns whether the reader keeps up again. */
export function catchUp(connection: Connection): boolean {
  const { socket, missed } = connection;
  if (missed === null) {
    return true;
  }
  if (socket.writableLength > 0) {
    return false;
  }
  connection.missed = null;
  const frames = framesOf(missed);
  if (frames.length > 0) {
    const frame = joinFrames(frames);
    socket.write(connection.chunked ? frame.chunk : frame.plain);
  }
  return true;
}

/** A comment that keeps the connection alive; a reader who is behind has something to read anyway. */
export function ping({ socket, chunked }: Connection, frame: Frame): void {
  if (socket.writableLength === 0) {
    socket.write(chunked ? frame.chunk : frame.plain);
  }
}

/** Ends a reader who takes everything in good order, and cuts off one who does not. */
export function end({ socket, chunked, missed }: Connection): void {
  if (missed !== null || socket.writableLength > 0) {
    socket.destroy();
  } else if (chunked) {
    socket.end(LAST_CHUNK);
  } else {
    socket.end();
  }
}
