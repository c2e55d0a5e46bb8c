/**
 * Lets a read of the feed or of the webhook events wait for what comes next (contract 21.16). A request that waits holds neither a place in
 * the queue nor a connection of the database, and is read again only after its operator's feed has grown.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RowWait } from '../../ledger/await-rows.ts';

/** What a read found. */
interface Found {
  readonly isEmpty: boolean;
  /** The last position of the operator's feed when it was read. */
  readonly end: bigint;
}

/**
 * @param seconds 0 does not wait
 * @param read reads the page; called again, after the key was checked again, when there may be more
 * @returns what the last read found, which is nothing if nothing came
 */
export type ReadOrWait = <F extends Found>(
  request: FastifyRequest,
  reply: FastifyReply,
  seconds: number,
  read: () => Promise<F>,
) => Promise<F>;

const MOST_OF_A_KEY = 4;

export function createReadOrWait(app: FastifyInstance, rows: RowWait): ReadOrWait {
  const waiting = new Map<string, number>();
  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort());

  return async (request, reply, seconds, read) => {
    const first = await read();
    const { keyId } = request.caller;
    const waitingOfKey = waiting.get(keyId) ?? 0;
    if (!first.isEmpty || seconds === 0 || waitingOfKey >= MOST_OF_A_KEY || stopping.signal.aborted) {
      return first;
    }
    request.leaveQueue();
    waiting.set(keyId, waitingOfKey + 1);
    const end = new AbortController();
    const signal = AbortSignal.any([end.signal, stopping.signal]);
    const timer = setTimeout(() => end.abort(), seconds * 1000);
    reply.raw.once('close', () => end.abort());
    const since = performance.now();
    try {
      return await readAgain(first, request, signal, rows, read);
    } finally {
      clearTimeout(timer);
      request.waitedMs = performance.now() - since;
      leave(waiting, keyId);
    }
  };
}

async function readAgain<F extends Found>(
  first: F,
  { caller }: FastifyRequest,
  signal: AbortSignal,
  rows: RowWait,
  read: () => Promise<F>,
): Promise<F> {
  let found = first;
  while (found.isEmpty && !signal.aborted) {
    await rows.wait(caller.operator.operatorId, found.end, signal);
    if (!signal.aborted) {
      await caller.checkAgain?.();
      found = await read();
    }
  }
  return found;
}

function leave(waiting: Map<string, number>, keyId: string): void {
  const left = (waiting.get(keyId) ?? 1) - 1;
  if (left === 0) {
    waiting.delete(keyId);
  } else {
    waiting.set(keyId, left);
  }
}
