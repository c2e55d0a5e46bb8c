/**
 * Cash that moves between two parts of Kalshi, within our account. The exchange takes no id of ours and moves the money in steps
 * that are not atomic: its list says which transfers it took, and which are complete.
 */
import { z } from 'zod';
import type { PartTransfers, ReportedTransfer } from '../../account.ts';
import { micros } from '../../decimal-shape.ts';
import { nextPageOf } from '../../page-cursor.ts';
import { expectShape, misfit } from '../../response-shape.ts';
import { kalshiRefusal } from '../order-schemas.ts';
import type { KalshiRest } from '../rest.ts';

const LIST = '/portfolio/intra_exchange_instance_transfers';
const PAGE = '100';
/** The exchange counts these amounts in ten-thousandths of a dollar. */
const CENTICENTS_PER_CENT = 100n;

const taken = z.looseObject({ transfer_id: z.string().min(1) });
const listed = z.looseObject({
  transfers: z.array(
    z.looseObject({
      transfer_id: z.string().min(1),
      source_exchange_shard: z.int(),
      destination_exchange_shard: z.int(),
      amount: micros,
      status: z.enum(['pending', 'complete']),
      created_ts: z.int(),
    }),
  ),
  cursor: z.string().nullish(),
});

/** @param subaccount of our account; undefined: the primary one */
export function kalshiPartTransfers(venue: string, rest: KalshiRest, subaccount: number | undefined): PartTransfers {
  return {
    async send({ from, to, amountMinor }) {
      const body = {
        source: 'event_contract',
        destination: 'event_contract',
        amount: Number(amountMinor * CENTICENTS_PER_CENT),
        source_exchange_shard: from,
        destination_exchange_shard: to,
        ...(subaccount === undefined ? {} : { source_subaccount: subaccount, destination_subaccount: subaccount }),
      };
      const answer = await rest.call('POST', '/portfolio/intra_exchange_instance_transfer', { body });
      if (answer.status === 200) {
        return { transferId: expectShape(venue, 'transfer', taken, answer.body).transfer_id };
      }
      const refusal = kalshiRefusal.safeParse(answer.body);
      if (!refusal.success || answer.status === 408) {
        throw misfit(venue, 'transfer', `status ${answer.status}`, answer.body);
      }
      return { refusal: refusal.data.code };
    },
    async since(moment) {
      const found: ReportedTransfer[] = [];
      const query = new URLSearchParams({ limit: PAGE });
      const nextPage = nextPageOf(venue, LIST);
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        if (cursor !== '') {
          query.set('cursor', cursor);
        }
        const { body } = await rest.get(`${LIST}?${query}`);
        const page = expectShape(venue, LIST, listed, body);
        found.push(
          ...page.transfers.map((one) => ({
            transferId: one.transfer_id,
            from: one.source_exchange_shard,
            to: one.destination_exchange_shard,
            amountMicros: one.amount,
            arrived: one.status === 'complete',
            at: new Date(one.created_ts * 1_000),
          })),
        );
        // newest first: what follows is older
        const older = found.some(({ at }) => at < moment);
        cursor = older ? undefined : nextPage(page.cursor);
      }
      return found.filter(({ at }) => at >= moment);
    },
  };
}
