/**
 * Ids as people have them: whole, as a table abbreviates them (`evt_z…yz71yp`), or a unique beginning of six characters or more. An
 * id that is not found stays as it was given, so that the service itself refuses it.
 */
import { Args, Flags } from '@oclif/core';
import type { InlayClient } from '../../client/create-client.ts';
import { Failure } from '../failure.ts';

const LEAST = 6;
/** Least number of characters of our ids, except those of operators. */
const WHOLE = 36;
const CUT = /…|\.\.\./;
const REST_OF_A_BEGINNING = /^[0-9a-z_-]*$/i;

/** Prefix of each kind of id. Null for ids that others have made; of these only an abbreviation is completed. */
const PREFIXES = {
  approval: 'apr_',
  contract: 'ctr_',
  customer: null,
  delivery: 'dlv_',
  endpoint: 'whe_',
  event: 'evt_',
  group: 'mat_',
  key: 'key_',
  listing: null,
  operator: 'op_',
  order: 'ord_',
  position: 'pos_',
  scenario: 'scn_',
} as const;

export type IdKind = keyof typeof PREFIXES;

/** Reads the candidates for an abbreviation: at least the ids that begin with `head` and end with `tail`. */
export type Candidates = (kind: IdKind, head: string, tail: string) => Promise<readonly string[]>;

/** @returns how the id begins and ends; undefined if no abbreviation was given */
function partsOf(kind: IdKind, given: string): { readonly head: string; readonly tail: string } | undefined {
  const [head = '', tail = '', ...rest] = given.split(CUT);
  if (CUT.test(given)) {
    return rest.length === 0 && head.length + tail.length >= LEAST ? { head, tail } : undefined;
  }
  const prefix = PREFIXES[kind];
  const mayBegin = prefix !== null && given.startsWith(prefix) && given.length >= LEAST && given.length < WHOLE;
  return mayBegin && REST_OF_A_BEGINNING.test(given) ? { head: given, tail: '' } : undefined;
}

/**
 * @param candidates called only if `given` may be an abbreviation
 * @throws Failure ambiguous_reference (exit 2), with the ids in `matches`
 */
export async function wholeId(kind: IdKind, given: string, candidates: Candidates): Promise<string> {
  const parts = partsOf(kind, given);
  if (parts === undefined) {
    return given;
  }
  const { head, tail } = parts;
  const ids = [...new Set(await candidates(kind, head, tail))];
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

type Page = { readonly ids: readonly string[]; readonly next: string | null };

/** One page of the ids of a kind, for those kinds that a key can list. */
const PAGES: Partial<Record<IdKind, (client: InlayClient, cursor: string | undefined) => Promise<Page>>> = {
  event: async (client, cursor) => {
    const { data, pagination } = await client.get('/api/v1/events', { query: { limit: 100, cursor } });
    return { ids: data.map(({ id }) => id), next: pagination.nextCursor };
  },
  // the outcomes of listed events, where people read contract ids; a list has only a few outcomes of a large event
  contract: async (client, cursor) => {
    const { data, pagination } = await client.get('/api/v1/events', { query: { limit: 100, cursor } });
    const outcomes = data.flatMap((event) => event.outcomes);
    for (const { id } of data.filter((event) => event.outcomeCount > event.outcomes.length)) {
      outcomes.push(...(await client.get('/api/v1/events/{id}', { path: { id } })).data.outcomes);
    }
    return { ids: outcomes.map(({ id }) => id), next: pagination.nextCursor };
  },
  order: async (client, cursor) => {
    const { orders, nextCursor } = await client.get('/api/v1/orders', { query: { limit: 200, cursor } });
    return { ids: orders.map(({ orderId }) => orderId), next: nextCursor };
  },
  customer: async (client, cursor) => {
    const { orders, nextCursor } = await client.get('/api/v1/orders', { query: { limit: 200, cursor } });
    return { ids: orders.map(({ externalUserId }) => externalUserId), next: nextCursor };
  },
  position: async (client, cursor) => {
    const { positions, nextCursor } = await client.get('/api/v1/positions', { query: { limit: 200, cursor } });
    return { ids: positions.map(({ positionId }) => positionId), next: nextCursor };
  },
  delivery: async (client, cursor) => {
    const { deliveries, nextCursor } = await client.get('/api/v1/webhook-deliveries', {
      query: { limit: 200, cursor },
    });
    return { ids: deliveries.map(({ deliveryId }) => deliveryId), next: nextCursor };
  },
  endpoint: async (client) => {
    const { endpoints } = await client.get('/api/v1/webhook-endpoints');
    return { ids: endpoints.map(({ endpointId }) => endpointId), next: null };
  },
  scenario: async (client) => {
    const { scenarios } = await client.get('/api/v1/sandbox/scenarios');
    return { ids: scenarios.map(({ scenarioId }) => scenarioId), next: null };
  },
};

/** @returns the newest ids of a kind that the key may read; none of a kind that it cannot list */
export async function readIds(client: InlayClient, kind: IdKind): Promise<string[]> {
  const readPage = PAGES[kind];
  const ids: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; readPage !== undefined && page < MOST_PAGES; page += 1) {
    const { ids: some, next } = await readPage(client, cursor);
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
    return reference;
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
