/**
 * Positions and cash of our account at a venue that differ from the books, as findings. What differs is looked at a second time,
 * a little later, because a result or a fill may just be on its way to us.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../db/client.ts';
import type { VenueAccount } from '../../venues/account.ts';
import { compareCash } from './account-cash.ts';
import { type ComparedPosition, comparePositions } from './account-positions.ts';
import type { Difference } from './venue-findings.ts';

const LOOK_AGAIN_MS = 2_500;
const PAID_GRACE_MS = 15 * 60_000;

export async function holdingDifferences(
  sql: Sql,
  venue: string,
  account: VenueAccount,
  withCash: boolean,
): Promise<Difference[]> {
  const first = await look(sql, venue, account, withCash);
  if (first.length === 0) {
    return [];
  }
  await sleep(LOOK_AGAIN_MS);
  const again = await look(sql, venue, account, withCash);
  return again.filter((one) => first.some(({ kind, subject }) => one.kind === kind && one.subject === subject));
}

async function look(sql: Sql, venue: string, account: VenueAccount, withCash: boolean): Promise<Difference[]> {
  const before = await comparePositions(sql, venue, []);
  const after = await comparePositions(sql, venue, await account.positions());
  const unequal = after.filter((one) => isSettled(one, before));
  const paid = await paidAlready(account, unequal);
  const differences = unequal.filter(({ listingId }) => !paid.has(listingId)).map(positionDifference);
  // the payment is in the cash before the result is in the books
  const cash = withCash && paid.size === 0 ? await compareCash(sql, venue, account) : null;
  if (cash !== null && !cash.agrees) {
    const { theirs, least, most } = cash;
    differences.push({
      kind: 'cash',
      subject: 'account',
      operatorId: null,
      orderId: null,
      raw: { theirs, least, most },
    });
  }
  return differences;
}

/** Listings that the venue has paid, while its result is still on its way to the books: no difference for this long. */
async function paidAlready(account: VenueAccount, unequal: readonly ComparedPosition[]): Promise<ReadonlySet<string>> {
  const gone = unequal.some(({ theirs }) => theirs === 0n);
  const since = new Date(Date.now() - PAID_GRACE_MS);
  const settled = new Set(gone ? await account.settledSince?.(since) : []);
  return new Set(unequal.filter((one) => one.theirs === 0n && settled.has(one.listingId)).map((one) => one.listingId));
}

/** Whether it differs although nothing is under way, and nothing moved while the venue was asked. */
function isSettled(one: ComparedPosition, before: readonly ComparedPosition[]): boolean {
  const earlier = before.find(({ listingId }) => listingId === one.listingId);
  return one.theirs !== one.ours && !one.inFlight && earlier?.inFlight !== true && (earlier?.ours ?? 0n) === one.ours;
}

function positionDifference({ listingId, contractId, theirs, ours }: ComparedPosition): Difference {
  return { kind: 'position', subject: listingId, operatorId: null, orderId: null, raw: { contractId, theirs, ours } };
}
