/**
 * The public price stream of a process (specification "Other event channels"; rulings 7, 11): which connections watch
 * which contracts, within the caps, and what is sent to them when the board changes. It knows no credentials and no
 * routes.
 */
import type { Socket } from 'node:net';
import type { Clock } from '../../core/clock.ts';
import { type Refusal, refuse } from '../../core/errors.ts';
import type { Board } from '../../markets/board/board.ts';
import type { Audience } from '../../markets/catalogue/listing-index.ts';
import { catchUp, createConnection, end, ping, send } from './connection.ts';
import { type Connection, createGroup, type Group, type Instrument, takeChanged } from './group.ts';
import { createInstrument, updateInstrument } from './instrument.ts';
import { createShares } from './shares.ts';
import { PING, streamEvent } from './stream-event.ts';

export interface StreamCaps {
  readonly connections: number;
  /** For one address, so that one client cannot take all of them. */
  readonly addressConnections: number;
  /** For one embed session. */
  readonly sessionConnections: number;
  /** For one connection. */
  readonly contracts: number;
  /** Contracts that are watched by any connection. */
  readonly instruments: number;
}

export interface StreamRequest {
  readonly contractIds: readonly string[];
  readonly audience: Audience;
  /** Connections are counted by this address. */
  readonly address: string;
  /** Set for a reader with an embed token. */
  readonly sessionId: string | null;
}

export interface PriceStream {
  /** The current number of connections. */
  readonly connections: number;
  /** The current number of watched contracts. */
  readonly instruments: number;
  /** @throws stream_capacity; nothing was written then */
  admit(request: StreamRequest): Admitted;
  /** Ends every connection, so that a closing server waits for none of them. */
  close(): void;
}

export interface Admitted {
  /** Begins the response on the socket; its first event is the snapshot. */
  start(socket: Socket, chunked: boolean, head: string): void;
}

const PING_MS = 15_000;
const CATCH_UP_MS = 50;
const CLOSES_MS = 1_000;
/** A reader that took nothing for this long is disconnected, even if its socket is open. */
const STALLED_MS = 10 * 60_000;
const RETRY_AFTER_SECONDS = 5;
const IDS_PER_MS = 1_000;

export function createPriceStream(board: Board, clock: Clock, caps: StreamCaps): PriceStream {
  const instruments = new Map<string, Instrument>();
  const groups = new Map<string, Group>();
  const connections = new Set<Connection>();
  const behind = new Set<Connection>();
  const shares = createShares();
  const changed = new Set<string>();
  let scheduled = false;
  let closed = false;
  // Above every id of an earlier process, so that ids keep rising for a reader that reconnects.
  let lastId = clock.now().getTime() * IDS_PER_MS;
  const nextId = () => {
    lastId += 1;
    return lastId;
  };

  function flush(): void {
    scheduled = false;
    const now = clock.now();
    const touched = new Set<Group>();
    for (const contractId of changed) {
      const instrument = instruments.get(contractId);
      if (instrument === undefined) {
        continue;
      }
      if (!updateInstrument(instrument, board.contracts.get(contractId), now, nextId)) {
        continue;
      }
      for (const group of instrument.groups) {
        group.changed.push(instrument);
        touched.add(group);
      }
    }
    changed.clear();
    for (const group of touched) {
      const taken = takeChanged(group);
      if (taken === undefined) {
        continue;
      }
      for (const connection of group.connections) {
        if (!send(connection, taken.event, taken.instruments)) {
          behind.add(connection);
        }
      }
    }
  }

  function schedule(contractId: string): void {
    if (!instruments.has(contractId)) {
      return;
    }
    changed.add(contractId);
    if (!scheduled) {
      scheduled = true;
      setImmediate(flush);
    }
  }

  const unsubscribe = board.onChange((change) => change.contracts.forEach(schedule));
  const timers = [
    setInterval(() => {
      for (const connection of connections) {
        ping(connection, PING);
      }
    }, PING_MS),
    setInterval(sweepBehind, CATCH_UP_MS),
    setInterval(() => {
      const now = clock.now().getTime();
      for (const instrument of instruments.values()) {
        if (!instrument.stopped && instrument.closesAt <= now) {
          schedule(instrument.contractId);
        }
      }
    }, CLOSES_MS),
  ];
  for (const timer of timers) {
    timer.unref();
  }

  function sweepBehind(): void {
    if (behind.size === 0) {
      return;
    }
    const stalledBefore = performance.now() - STALLED_MS;
    for (const connection of behind) {
      if (catchUp(connection)) {
        behind.delete(connection);
      } else if (connection.missedSince < stalledBefore) {
        connection.socket.destroy();
      }
    }
  }

  function offered({ contractIds, audience }: StreamRequest): { known: string[]; unknown: string[] } {
    const known: string[] = [];
    const unknown: string[] = [];
    for (const contractId of contractIds) {
      const contract = board.contracts.get(contractId);
      const event = contract === undefined ? undefined : board.events.get(contract.eventId);
      (event !== undefined && audience.offers(event) ? known : unknown).push(contractId);
    }
    return { known, unknown };
  }

  function groupOf(contractIds: readonly string[]): Group {
    const key = contractIds.toSorted().join();
    const known = groups.get(key);
    if (known !== undefined) {
      return known;
    }
    const now = clock.now();
    const members = contractIds.flatMap((contractId) => {
      const contract = board.contracts.get(contractId);
      const instrument = instruments.get(contractId) ?? (contract && createInstrument(contract, now));
      if (instrument === undefined) {
        return [];
      }
      instruments.set(contractId, instrument);
      return [instrument];
    });
    const group = createGroup(key, members);
    groups.set(key, group);
    return group;
  }

  function leave(connection: Connection): void {
    const { group } = connection;
    connections.delete(connection);
    behind.delete(connection);
    group.connections.delete(connection);
    if (group.connections.size > 0 || groups.get(group.key) !== group) {
      return;
    }
    groups.delete(group.key);
    for (const instrument of group.instruments) {
      instrument.groups.delete(group);
      if (instrument.groups.size === 0) {
        instruments.delete(instrument.contractId);
      }
    }
  }

  function start(request: StreamRequest, socket: Socket, chunked: boolean, head: string): void {
    if (socket.destroyed) {
      return;
    }
    const { known, unknown } = offered(request);
    const group = groupOf(known);
    const connection = createConnection(socket, group, chunked);
    const prices = group.instruments.map(({ json }) => json).join(',');
    const snapshot = streamEvent(
      'snapshot',
      nextId(),
      `{"contracts":[${prices}],"unknown":${JSON.stringify(unknown)}}`,
    );
    socket.setTimeout(0);
    socket.setNoDelay(true);
    const release = shares.take(subjectsOf(request));
    socket.once('close', () => {
      release();
      leave(connection);
    });
    connections.add(connection);
    group.connections.add(connection);
    socket.write(Buffer.concat([Buffer.from(head), chunked ? snapshot.chunk : snapshot.plain]));
  }

  return {
    get connections() {
      return connections.size;
    },
    get instruments() {
      return instruments.size;
    },
    admit(request) {
      const { known } = offered(request);
      const fresh = known.filter((contractId) => !instruments.has(contractId)).length;
      if (
        closed ||
        connections.size >= caps.connections ||
        request.contractIds.length > caps.contracts ||
        instruments.size + fresh > caps.instruments
      ) {
        throw refuse('stream_capacity', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
      const { address, sessionId } = request;
      if (shares.of(address) >= caps.addressConnections) {
        throw atShare('address');
      }
      if (sessionId !== null && shares.of(sessionId) >= caps.sessionConnections) {
        throw atShare('embed session');
      }
      return { start: (socket, chunked, head) => start(request, socket, chunked, head) };
    },
    close() {
      closed = true;
      unsubscribe();
      for (const timer of timers) {
        clearInterval(timer);
      }
      for (const connection of connections) {
        end(connection);
      }
    },
  };
}

function subjectsOf({ address, sessionId }: StreamRequest): string[] {
  return sessionId === null ? [address] : [address, sessionId];
}

function atShare(whose: string): Refusal {
  return refuse('stream_capacity', `This ${whose} has reached its limit of price streams.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
