/**
 * Lets readers wait for the next row of an operator's journal. All that wait in a process share one statement: a
 * notification says that something was recorded, and the statement says for which of their operators. Nobody holds a connection meanwhile.
 */
import { createRest } from '../core/rest.ts';
import { operatorOf, readByOperator } from '../db/by-operator.ts';
import type { Sql } from '../db/client.ts';
import type { Listener } from '../db/listener.ts';
import { JOURNAL_CHANNEL } from './journal.ts';

export interface RowWait {
  /**
   * Resolves once the operator's feed goes beyond a position, or the signal ends the wait. It never fails.
   * @param signal not aborted yet
   */
  wait(operatorId: string, position: bigint, signal: AbortSignal): Promise<void>;
  close(): void;
}

interface Reader {
  readonly operatorId: string;
  readonly position: bigint;
  end(): void;
}

/** Rows that were recorded without a notification, or whose notification was lost, are seen after this time. */
const LOOK_MS = 1_000;
/** A busy service notifies many times a second. */
const SPACING_MS = 50;

/** It listens from the first reader on. */
export function openRowWait(sql: Sql, listener: Listener): RowWait {
  const readers = new Set<Reader>();
  const { rest, wake } = createRest();
  let unlisten: (() => void) | undefined;
  let isLooking = false;

  async function lookWhileAnyWaits(): Promise<void> {
    isLooking = true;
    while (readers.size > 0) {
      // if it fails, all wait on, and are looked at again
      await endReaders().catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, SPACING_MS));
      if (readers.size > 0) {
        await rest(LOOK_MS);
      }
    }
    isLooking = false;
  }

  async function endReaders(): Promise<void> {
    const asked = [...readers];
    const ends = await readEnds(sql, [...new Set(asked.map(({ operatorId }) => operatorId))]);
    for (const reader of asked.filter(({ operatorId, position }) => (ends.get(operatorId) ?? 0n) > position)) {
      reader.end();
    }
  }

  return {
    wait(operatorId, position, signal) {
      unlisten ??= listener.listen(JOURNAL_CHANNEL, { onNotification: wake, onConnected: wake });
      const { promise, resolve } = Promise.withResolvers<void>();
      const end = () => resolve();
      const reader = { operatorId, position, end };
      signal.addEventListener('abort', end);
      readers.add(reader);
      // what was recorded since its reader looked would be seen late
      wake();
      if (!isLooking) {
        lookWhileAnyWaits().catch(() => {
          // the next reader begins again
          isLooking = false;
        });
      }
      return promise.finally(() => {
        readers.delete(reader);
        signal.removeEventListener('abort', end);
      });
    },
    close() {
      for (const { end } of readers) {
        end();
      }
      wake();
      unlisten?.();
    },
  };
}

/** @returns the last position of the feed of each operator; an operator without items is missing */
async function readEnds(sql: Sql, operatorIds: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
  const rows = await readByOperator(
    sql,
    operatorIds.map((operatorId) => ({ operatorId })),
    (operatorId, some) => sql<{ operatorId: string; sequence: bigint }[]>`
      select ledger.operator_id, ledger.sequence from unnest(${some.map((one) => one.operatorId)}::text[]) as x(operator_id)
        cross join lateral (
          select known.operator_id, known.sequence from operator_ledgers known
          where known.operator_id = ${operatorOf(sql, operatorId)} limit 1) ledger`,
  );
  return new Map(rows.map(({ operatorId, sequence }) => [operatorId, sequence]));
}
