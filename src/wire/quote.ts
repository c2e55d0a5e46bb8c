/** Quotes on the wire (contract 9.4, contract 9.1). */
import { z } from 'zod';
import {
  action,
  display,
  operatorExitMoney,
  operatorMoney,
  price,
  quantity,
  side,
  simulated,
  timestamp,
} from './money.ts';

const isAbsent = (value: unknown) => value === undefined || value === null;

/** A buy names its stake, a sell its contracts, and neither names both. Unknown fields are ignored. */
export const quoteInput = z
  .object({
    marketId: z.string().min(1).max(100).describe('The `ctr_` id of the contract.'),
    side,
    action,
    stake: z.number().positive().nullish().describe('Dollars to spend, fee included; sizes a buy.'),
    contracts: z.number().positive().nullish().describe('Contracts to sell; sizes a sell.'),
  })
  .refine((body) => isAbsent(body.stake) !== isAbsent(body.contracts), {
    message: 'exactly one of stake and contracts',
    path: ['stake'],
  })
  .refine((body) => isAbsent(body.action === 'buy' ? body.contracts : body.stake), {
    message: 'a buy is sized by stake, a sell by contracts',
    path: ['action'],
  })
  .meta({
    description: 'Exactly one of `stake` and `contracts`: a buy is sized by `stake`, a sell by `contracts`.',
    oneOf: [
      {
        required: ['action', 'stake'],
        properties: { action: { const: 'buy' }, stake: { type: 'number' }, contracts: { type: 'null' } },
      },
      {
        required: ['action', 'contracts'],
        properties: { action: { const: 'sell' }, contracts: { type: 'number' }, stake: { type: 'null' } },
      },
    ],
  });

const freshness = z
  .object({
    level: z.enum(['live', 'recent', 'aged']).describe('Up to 5 s, up to 30 s, up to 120 s.'),
    ageSeconds: z.number().min(0).describe('Since the price was last confirmed.'),
    feed: z.enum(['websocket', 'rest']).describe('How the price came in.'),
  })
  .meta({ id: 'Freshness', description: 'How old the price is.' });

export const quote = z
  .object({
    quoteId: z.string().describe('Spendable once.'),
    contractId: z.string().describe('The `ctr_` id.'),
    side,
    action,
    executionPrice: price('What a fill costs.'),
    priceBasis: z.string().describe('What the price was read from, e.g. `book`.'),
    stake: display('Dollars of a buy.').nullable(),
    platformFee: display("The platform's fee in dollars."),
    platformFeeBps: z.int().describe("The platform's fee rate in basis points."),
    tradeAmount: display('Stake less fee of a buy, notional of a sell.'),
    contracts: quantity('Bought or sold.'),
    potentialPayout: display('What a winner pays, or the proceeds of a sell.'),
    expiresAt: timestamp('End of the hold.'),
    simulated,
    freshness,
    routing: z
      .object({
        consideredVenues: z.int().min(0).describe('Number of books looked at.'),
        routable: z.boolean().describe('True once a person verified the group as equivalent.'),
      })
      .meta({ id: 'QuoteRouting' }),
    operatorMoney: operatorMoney.nullable().describe('Money of a buy; null on a sell.'),
    operatorExitMoney: operatorExitMoney.nullable().describe('Money of a sell; null on a buy.'),
  })
  .meta({ id: 'Quote' });

export type QuoteInput = z.infer<typeof quoteInput>;
export type Quote = z.infer<typeof quote>;
