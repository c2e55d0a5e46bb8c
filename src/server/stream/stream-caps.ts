/** The caps of the price stream, and how many connections each address and each embed session has. */
import { type Refusal, refuse } from '../../core/errors.ts';

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

/** What an address and a session may have, counted while a connection is open. */
export interface Subjects {
  readonly address: string;
  /** Set for a reader with an embed token. */
  readonly sessionId: string | null;
}

export interface StreamUse {
  readonly connections: number;
  /** Contracts of the request. */
  readonly requested: number;
  /** Contracts that would be watched with this request. */
  readonly instruments: number;
}

export interface CapCounter {
  /** @throws stream_capacity */
  check(use: StreamUse, subjects: Subjects): void;
  /**
   * Counts one connection for each subject.
   * @returns a function that undoes the counting
   */
  take(subjects: Subjects): () => void;
}

const RETRY_AFTER_SECONDS = 5;

export function createCapCounter(caps: StreamCaps): CapCounter {
  const held = new Map<string, number>();

  function add(subject: string, count: number): void {
    const now = (held.get(subject) ?? 0) + count;
    if (now === 0) {
      held.delete(subject);
    } else {
      held.set(subject, now);
    }
  }

  return {
    check({ connections, requested, instruments }, { address, sessionId }) {
      if (connections >= caps.connections || requested > caps.contracts || instruments > caps.instruments) {
        throw atCapacity();
      }
      if ((held.get(address) ?? 0) >= caps.addressConnections) {
        throw atCapacity('This address has reached its limit of price streams.');
      }
      if (sessionId !== null && (held.get(sessionId) ?? 0) >= caps.sessionConnections) {
        throw atCapacity('This embed session has reached its limit of price streams.');
      }
    },
    take({ address, sessionId }) {
      const subjects = sessionId === null ? [address] : [address, sessionId];
      for (const subject of subjects) {
        add(subject, 1);
      }
      return () => {
        for (const subject of subjects) {
          add(subject, -1);
        }
      };
    },
  };
}

export function atCapacity(message?: string): Refusal {
  return refuse('stream_capacity', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
