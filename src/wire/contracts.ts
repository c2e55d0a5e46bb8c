/** Names and order books of contracts on the wire: additions of ours to the catalogue. */
import { z } from 'zod';

const MOST_NAMES = 100;
const id = z.string().regex(/^ctr_/).describe('Contract id.');

export const contractNamesQuery = z.object({
  ids: z
    .string()
    .transform((text) => [...new Set(text.split(',').filter((one) => one !== ''))])
    .pipe(z.array(z.string()).min(1).max(MOST_NAMES))
    .meta({ type: 'string', description: `Comma-separated ctr_ ids, at most ${MOST_NAMES}.` }),
});

export const contractNames = z
  .object({
    data: z
      .array(
        z.object({
          id,
          label: z.string().describe('Label of the outcome.'),
          eventId: z.string().describe('Id of its event.'),
          title: z.string().describe('Title of its event.'),
        }),
      )
      .describe('Known ones, in no particular order. Contracts that are no longer offered keep their names.'),
  })
  .meta({ id: 'ContractNames' });

const level = z.object({
  price: z.number().gt(0).lt(1).describe('Dollars per contract.'),
  contracts: z.number().positive().describe('Contracts offered at this price.'),
});

export const contractBook = z
  .object({
    contractId: id,
    bids: z.array(level).describe('Buyers of YES, best first.'),
    asks: z.array(level).describe('Sellers of YES, best first; a buy of NO meets the bids at 1 minus their price.'),
    updatedAt: z.iso.datetime().nullable().describe('When the book last changed; null without a book.'),
  })
  .meta({ id: 'ContractBook' });

export type ContractBook = z.infer<typeof contractBook>;

export const contractTrades = z
  .object({
    contractId: id,
    trades: z
      .array(
        z.object({
          at: z.iso.datetime().describe('When the market reported it.'),
          price: z.number().gt(0).lt(1).describe('Dollars per contract of YES, of the last trade in this report.'),
          contracts: z.number().positive().describe('Contracts traded since the previous report.'),
        }),
      )
      .describe('Newest first, at most 20, and only those since this process of the service started.'),
  })
  .meta({ id: 'ContractTrades' });

export type ContractTrades = z.infer<typeof contractTrades>;
