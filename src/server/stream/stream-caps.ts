/** Counts the connections and contracts of each address and each embed session on the price stream, and refuses more than the caps. */
import { type Refusal, refuse } from '../../core/errors.ts';

export interface StreamCaps {
  /** For all readers. Those without an embed session have half of them at most. */
  readonly connections: number;
  /** For one address, so that one client cannot take all connections. */
  readonly addressConnections: number;
  /** For one embed session. */
  readonly sessionConnections: number;
  /** For one connection. */
  readonly contracts: number;
  /** Contracts that are watched by any connection. One address watches a tenth of them at most. */
  readonly instruments: number;
}

/** Address and session of a connection, against which it counts while it is open. */
export interface Subjects {
  /** Null for a trusted proxy, which has many clients. */
  readonly address: string | null;
  /** Set for a reader with an embed token. */
  readonly sessionId: string | null;
}

interface StreamUse {
  readonly connections: number;
  /** Contracts of the request. */
  readonly requested: number;
  /** Contracts that would be watched with this request. */
  readonly instruments: number;
  /** The contracts of the request that exist. */
  readonly contractIds: readonly string[];
}

interface CapCounter {
  /** @throws stream_capacity */
  check(use: StreamUse, subjects: Subjects): void;
  /**
   * Counts one connection, and its contracts, for each subject.
   * @returns a function that undoes the counting
   */
  take(subjects: Subjects, contractIds: readonly string[]): () => void;
}

const RETRY_AFTER_SECONDS = 5;
const SHARE_OF_AN_ADDRESS = 0.1;
const SHARE_OF_ANONYMOUS = 0.5;

export function createCapCounter(caps: StreamCaps): CapCounter {
  const held = new Map<string, number>();
  let anonymous = 0;
  /** How many connections of an address watch each contract. */
  const watchedBy = new Map<string, Map<string, number>>();
  const addressInstruments = Math.max(1, Math.floor(caps.instruments * SHARE_OF_AN_ADDRESS));

  function add<K>(counts: Map<K, number>, subject: K, count: number): void {
    const now = (counts.get(subject) ?? 0) + count;
    if (now === 0) {
      counts.delete(subject);
    } else {
      counts.set(subject, now);
    }
  }

  function watch(address: string, contractIds: readonly string[], count: number): void {
    const watched = watchedBy.get(address) ?? new Map<string, number>();
    for (const contractId of contractIds) {
      add(watched, contractId, count);
    }
    if (watched.size === 0) {
      watchedBy.delete(address);
    } else {
      watchedBy.set(address, watched);
    }
  }

  function wouldWatch(address: string, contractIds: readonly string[]): number {
    const watched = watchedBy.get(address);
    return (watched?.size ?? 0) + contractIds.filter((contractId) => watched?.has(contractId) !== true).length;
  }

  return {
    check({ connections, requested, instruments, contractIds }, { address, sessionId }) {
      if (connections >= caps.connections || requested > caps.contracts || instruments > caps.instruments) {
        throw atCapacity();
      }
      // A flood from many addresses leaves room for customers.
      if (sessionId === null && anonymous >= caps.connections * SHARE_OF_ANONYMOUS) {
        throw atCapacity('Price streams without an embed session have reached their limit.');
      }
      if (address !== null && (held.get(address) ?? 0) >= caps.addressConnections) {
        throw atCapacity('This address has reached its limit of price streams.');
      }
      if (address !== null && wouldWatch(address, contractIds) > addressInstruments) {
        throw atCapacity('This address has reached its limit of contracts on price streams.');
      }
      if (sessionId !== null && (held.get(sessionId) ?? 0) >= caps.sessionConnections) {
        throw atCapacity('This embed session has reached its limit of price streams.');
      }
    },
    take({ address, sessionId }, contractIds) {
      const count = (change: number) => {
        anonymous += sessionId === null ? change : 0;
        for (const subject of [address, sessionId]) {
          if (subject !== null) {
            add(held, subject, change);
          }
        }
        if (address !== null) {
          watch(address, contractIds, change);
        }
      };
      count(1);
      return () => count(-1);
    },
  };
}

export function atCapacity(message?: string): Refusal {
  return refuse('stream_capacity', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
