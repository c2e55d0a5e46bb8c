/**
 * The public price stream of a process (contract chapter 8): which connections watch which contracts, within the caps, and what is sent to
 * them when the board changes. Credentials and routes are handled elsewhere.
 */
import type { Socket } from 'node:net';
import type { Clock } from '../../core/time.ts';
import type { Board } from '../../markets/board/board.ts';
import type { Audience } from '../../markets/catalogue/event-index.ts';
import {
  type Connection,
  catchUp,
  createConnection,
  createGroup,
  createInstrument,
  end,
  type Group,
  type Instrument,
  PING,
  ping,
  send,
  streamEvent,
  takeChanged,
  updateInstrument,
} from './connection.ts';
import { atCapacity, createCapCounter, type StreamCaps, type Subjects } from './stream-caps.ts';

export interface StreamRequest extends Subjects {
  readonly contractIds: readonly string[];
  readonly audience: Audience;
}

export interface PriceStream {
  /** The current number of connections. */
  readonly connections: number;
  /** The current number of watched contracts. */
  readonly instruments: number;
  /** @throws stream_capacity, before anything is written */
  admit(request: StreamRequest): Admitted;
  /** Ends every connection, so that a closing server waits for none of them. */
  close(): void;
}

interface Admitted {
  /**
   * Begins the response on the socket. Its first event is the snapshot.
   * @param chunked true for HTTP/1.1
   * @param head status line and headers
   */
  start(socket: Socket, chunked: boolean, head: string): void;
}

const PING_MS = 15_000;
const CATCH_UP_MS = 50;
const CLOSES_MS = 1_000;
const IDS_PER_MS = 1_000;

/** @param caps limits of this process */
export function openPriceStream(board: Board, clock: Clock, caps: StreamCaps): PriceStream {
  const watched = createWatchedContracts(board);
  const connections = new Set<Connection>();
  const behind = new Set<Connection>();
  const counter = createCapCounter(caps);
  const changed = new Set<string>();
  let scheduled = false;
  let closed = false;
  // Higher than every id of an earlier process, so that ids keep rising for a reader that reconnects.
  let lastId = clock.now().getTime() * IDS_PER_MS;
  const nextId = () => {
    lastId += 1;
    return lastId;
  };

  function flush(): void {
    scheduled = false;
    const touched = watched.update(changed, clock.now(), nextId);
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
    if (!watched.has(contractId)) {
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
    setInterval(() => watched.closing(clock.now()).forEach(schedule), CLOSES_MS),
  ];
  for (const timer of timers) {
    timer.unref();
  }

  function sweepBehind(): void {
    for (const connection of behind) {
      if (catchUp(connection)) {
        behind.delete(connection);
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

  function leave(connection: Connection): void {
    const { group } = connection;
    connections.delete(connection);
    behind.delete(connection);
    group.connections.delete(connection);
    watched.release(group);
  }

  function start(request: StreamRequest, socket: Socket, chunked: boolean, head: string): void {
    if (socket.destroyed) {
      return;
    }
    const { known, unknown } = offered(request);
    const group = watched.groupOf(known, clock.now());
    const connection = createConnection(socket, group, chunked);
    const prices = group.instruments.map(({ json }) => json).join(',');
    const snapshot = streamEvent(
      'snapshot',
      nextId(),
      `{"contracts":[${prices}],"unknown":${JSON.stringify(unknown)}}`,
    );
    socket.setNoDelay(true);
    const release = counter.take(request, known);
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
      return watched.size;
    },
    admit(request) {
      const { known } = offered(request);
      const fresh = known.filter((contractId) => !watched.has(contractId)).length;
      if (closed) {
        throw atCapacity();
      }
      const use = {
        connections: connections.size,
        requested: request.contractIds.length,
        instruments: watched.size + fresh,
        contractIds: known,
      };
      counter.check(use, request);
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

interface WatchedContracts {
  readonly size: number;
  has(contractId: string): boolean;
  /** The group that watches exactly these contracts of the board. */
  groupOf(contractIds: readonly string[], now: Date): Group;
  /** Forgets a group without connections, and the contracts that only it watched. */
  release(group: Group): void;
  /** Updates these contracts from the board. @returns the groups that have something to send */
  update(contractIds: Iterable<string>, now: Date, nextId: () => number): Iterable<Group>;
  /** Contracts that have passed their close and whose `closed` was not sent. */
  closing(now: Date): string[];
}

/** Keeps the contracts that connections watch, and the groups that watch the same ones, as long as they are watched. */
function createWatchedContracts(board: Board): WatchedContracts {
  const instruments = new Map<string, Instrument>();
  const groups = new Map<string, Group>();

  return {
    get size() {
      return instruments.size;
    },
    has: (contractId) => instruments.has(contractId),
    groupOf(contractIds, now) {
      const key = contractIds.toSorted().join();
      const known = groups.get(key);
      if (known !== undefined) {
        return known;
      }
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
    },
    release(group) {
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
    },
    update(contractIds, now, nextId) {
      const touched = new Set<Group>();
      for (const contractId of contractIds) {
        const instrument = instruments.get(contractId);
        if (instrument === undefined || !updateInstrument(instrument, board.contracts.get(contractId), now, nextId)) {
          continue;
        }
        for (const group of instrument.groups) {
          group.changed.push(instrument);
          touched.add(group);
        }
      }
      return touched;
    },
    closing(now) {
      const time = now.getTime();
      return [...instruments.values()]
        .filter(({ stopped, closesAt }) => !stopped && closesAt <= time)
        .map(({ contractId }) => contractId);
    },
  };
}
