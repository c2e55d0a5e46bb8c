/**
 * Ids as people have them: whole, as a table abbreviates them (`evt_z…yz71yp`), a unique beginning of six characters or more, or
 * another reference of an order. An id that is not found stays as it was given, so that the service itself refuses it.
 */
import { Args, Flags } from '@oclif/core';
import type { InlayClient } from '../../client/create-client.ts';
import { Failure } from '../failure.ts';

const LEAST = 6;
const LONGEST_PART = 36;
const CUT = /…|\.\.\./;
const BEGINNING = /^[a-z]{2,5}_[0-9a-z_-]*$/i;

/** @returns how the id begins and ends; undefined if no abbreviation was given */
function partsOf(given: string): { readonly head: string; readonly tail: string } | undefined {
  const [head = '', tail = '', ...rest] = given.split(CUT);
  if (CUT.test(given) && rest.length === 0 && head.length + tail.length >= LEAST) {
    return { head, tail };
  }
  const mayBegin = given.length >= LEAST && given.length < LONGEST_PART && BEGINNING.test(given);
  return mayBegin ? { head: given, tail: '' } : undefined;
}

/**
 * @param candidates reads the ids of which one is meant; called only if `given` is an abbreviation
 * @throws Failure ambiguous_reference (exit 2), with the ids in `matches`
 */
export async function wholeId(
  given: string,
  candidates: (head: string, tail: string) => Promise<readonly string[]>,
): Promise<string> {
  const parts = partsOf(given);
  if (parts === undefined) {
    return given;
  }
  const { head, tail } = parts;
  const ids = [...new Set(await candidates(head, tail))];
  const matches = ids.includes(given) ? [given] : ids.filter((id) => id.startsWith(head) && id.endsWith(tail));
  if (matches.length > 1) {
    throw new Failure('ambiguous_reference', `Several ids are meant by ${given}:\n${matches.slice(0, 10).join('\n')}`, {
      exitCode: 2,
      next: 'Give more of the id.',
      extra: { matches },
    });
  }
  return matches[0] ?? given;
}

/** Enough for the newest orders and positions, and for all events that are listed. */
const MOST_PAGES = 5;

export function wholeEventId(client: InlayClient, given: string): Promise<string> {
  return wholeId(given, () =>
    readIds(async (cursor) => {
      const { data, pagination } = await client.get('/api/v1/events', { query: { limit: 100, cursor } });
      return { ids: data.map(({ id }) => id), next: pagination.nextCursor };
    }),
  );
}

/** Searches the outcomes of listed events, where people read contract ids. A list has only a few outcomes of a large event. */
export function wholeContractId(client: InlayClient, given: string): Promise<string> {
  return wholeId(given, () =>
    readIds(async (cursor) => {
      const { data, pagination } = await client.get('/api/v1/events', { query: { limit: 100, cursor } });
      const outcomes = data.flatMap((event) => event.outcomes);
      for (const { id } of data.filter((event) => event.outcomeCount > event.outcomes.length)) {
        outcomes.push(...(await client.get('/api/v1/events/{id}', { path: { id } })).data.outcomes);
      }
      return { ids: outcomes.map(({ id }) => id), next: pagination.nextCursor };
    }),
  );
}

function wholeOrderId(client: InlayClient, given: string): Promise<string> {
  return wholeId(given, () =>
    readIds(async (cursor) => {
      const { orders, nextCursor } = await client.get('/api/v1/orders', { query: { limit: 200, cursor } });
      return { ids: orders.map(({ orderId }) => orderId), next: nextCursor };
    }),
  );
}

export function wholePositionId(client: InlayClient, given: string): Promise<string> {
  return wholeId(given, () =>
    readIds(async (cursor) => {
      const { positions, nextCursor } = await client.get('/api/v1/positions', { query: { limit: 200, cursor } });
      return { ids: positions.map(({ positionId }) => positionId), next: nextCursor };
    }),
  );
}

async function readIds(
  read: (cursor: string | undefined) => Promise<{ readonly ids: readonly string[]; readonly next: string | null }>,
): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { ids: some, next } = await read(cursor);
    ids.push(...some);
    if (next === null) {
      break;
    }
    cursor = next;
  }
  return ids;
}

const ORDER_ID = /^ord_/;
const EXECUTION_REF = /^\s*\w+_best_\w+\s*$/i;

export const orderArgument = {
  order: Args.string({ required: true, description: 'Order id, executionRef, or clientOrderId with --user.' }),
};

export const customerFlag = {
  user: Flags.string({ helpValue: 'USER', summary: 'Customer of the order, if it is named by its clientOrderId.' }),
};

/**
 * @param reference order id, executionRef in upper or lower case, or clientOrderId
 * @param user your own id of the customer, because a clientOrderId is unique within one customer only
 * @returns the order id
 * @throws Failure unknown_order
 */
export async function findOrderId(client: InlayClient, reference: string, user: string | undefined): Promise<string> {
  if (ORDER_ID.test(reference)) {
    return wholeOrderId(client, reference);
  }
  const isOwn = user !== undefined && !EXECUTION_REF.test(reference);
  const { orders } = await client.get('/api/v1/orders', {
    query: isOwn ? { externalUserId: user, clientOrderId: reference } : { executionRef: reference },
  });
  const [found] = orders;
  if (found === undefined) {
    throw new Failure(
      'unknown_order',
      `No order has the reference ${reference}.`,
      isOwn ? {} : { next: 'If it is your own id of the order, name the customer with --user.' },
    );
  }
  return found.orderId;
}
