/** Subaccounts of the emulated exchange: under one API key each has cash, orders, positions and order groups of its own. */
import { z } from 'zod';
import type { Asked } from './requests.ts';
import type { Account, ExchangeState } from './state.ts';

const inBody = z.looseObject({ subaccount: z.int().optional(), source_subaccount: z.int().optional() });

/** @param number 0 is the primary one. @returns the name under which the state holds it */
export function accountName(keyId: string, number = 0): string {
  return number === 0 ? keyId : `${keyId}/${number}`;
}

/** All accounts of a key, the primary one included. */
export function accountsOf({ accounts }: ExchangeState, keyId: string): Account[] {
  return [...accounts].filter(([name]) => name === keyId || name.startsWith(`${keyId}/`)).map(([, account]) => account);
}

/** The account that a request is about, by default the primary one; undefined if there is no such subaccount. */
export function namedAccount(
  { accounts }: ExchangeState,
  keyId: string,
  { query, body }: Pick<Asked, 'query' | 'body'>,
): Account | undefined {
  const { subaccount, source_subaccount: source } = inBody.catch({}).parse(body ?? {});
  return accounts.get(accountName(keyId, Number(query.get('subaccount') ?? subaccount ?? source ?? 0)));
}
