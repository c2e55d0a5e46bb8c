/**
 * Whether a round of a look-up that found no such order also showed that the venue's lists work (contract 18.8). An order that is
 * missing from a list which answers nothing at all may still have filled.
 */
import type { Sql } from '../../db/client.ts';
import { isOurId, type Venue, VenueUnknown } from '../../venues/port.ts';
import type { Attempt } from './transmissions.ts';

type Sent = Pick<Attempt, 'ourId' | 'listingId' | 'side' | 'action' | 'sentAt'>;

/** How long before the send the list of orders is read from, so that it holds others of ours. */
const EARLIER_MS = 3_600_000;

/**
 * The account's list of orders since an hour before the send has other orders of ours, and not this one.
 * @returns false also if the venue does not answer
 */
export async function listHasOthersOnly({ account }: Venue, { ourId, sentAt }: Sent): Promise<boolean> {
  try {
    const orders = (await account?.ordersSince(new Date(sentAt.getTime() - EARLIER_MS))) ?? [];
    return orders.some((order) => isOurId(order.ourId)) && orders.every((order) => order.ourId !== ourId);
  } catch (error) {
    if (error instanceof VenueUnknown) {
      return false;
    }
    throw error;
  }
}

/**
 * The account's position in the contract equals ours without the order. It proves nothing while an order under way there could hide
 * this one by moving the position back, nor once the contract has a result, here or at the venue, which may have paid it out.
 * @returns false also if the venue does not answer
 */
export async function positionShowsNothing(sql: Sql, venue: Venue, attempt: Sent): Promise<boolean> {
  if (venue.account === null) {
    return false;
  }
  const before = await ourPosition(sql, venue.name, attempt);
  if (before === null) {
    return false;
  }
  try {
    const positions = await venue.account.positions();
    const theirs = positions
      .filter(({ listingId }) => listingId === attempt.listingId)
      .reduce((net, { side, quantityMicros }) => net + (side === 'YES' ? quantityMicros : -quantityMicros), 0n);
    const paid = theirs === before ? await venue.account.settledSince?.(attempt.sentAt, [attempt.listingId]) : [];
    const comparable = theirs === before && paid?.includes(attempt.listingId) !== true;
    return comparable && (await ourPosition(sql, venue.name, attempt)) === before;
  } catch (error) {
    if (error instanceof VenueUnknown) {
      return false;
    }
    throw error;
  }
}

/**
 * What the books say that the account holds of the listing, net, in micro-contracts; null if that cannot be compared now. Orders that
 * buy YES or sell NO all move it up, the others down: those of one direction cannot hide each other.
 */
async function ourPosition(sql: Sql, venue: string, { listingId, side, action }: Sent): Promise<bigint | null> {
  const raises = (side === 'YES') === (action === 'BUY');
  const [row] = await sql<{ net: bigint }[]>`
    select (case when c.inverse then -1 else 1 end * coalesce(sum(
      case when (o.side = 'YES') = not k.inverse then h.quantity else -h.quantity end), 0))::bigint as net
    from listings l join contracts c using (contract_id)
      join contracts k on coalesce(k.group_key, k.contract_id) = coalesce(c.group_key, c.contract_id)
      left join positions o on o.contract_id = k.contract_id and o.status = 'open' and not o.simulated
      left join position_holdings h on h.operator_id = o.operator_id and h.position_id = o.position_id and h.venue = l.venue
    where l.venue = ${venue} and l.listing_id = ${listingId}
      and not exists (select from transmissions t
        where t.venue = l.venue and t.listing_id = l.listing_id and t.state <> 'done'
          and ((t.side = 'YES') = (t.action = 'BUY')) <> ${raises})
    group by c.inverse having bool_and(k.resolution is null)`;
  return row?.net ?? null;
}
