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
    stake: z.number().positive().nullish().describe('Dollars to spend on a buy, fee included.'),
    contracts: z.number().positive().nullish().describe('Contracts to sell.'),
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
    level: z
      .enum(['live', 'recent', 'aged'])
      .describe('Class of the age: `live` up to 5 s, `recent` up to 30 s, `aged` up to 120 s.'),
    ageSeconds: z.number().min(0).describe('Seconds since the price was last confirmed.'),
    feed: z.enum(['websocket', 'rest']).describe('Kind of connection over which the price arrived.'),
  })
  .meta({ id: 'Freshness', description: 'Age of the price.' });

export const quote = z
  .object({
    quoteId: z.string().describe('Id of the quote, which can be used for one order.'),
    contractId: z.string().describe('The `ctr_` id.'),
    side,
    action,
    executionPrice: price('Price of the fill.'),
    priceBasis: z.string().describe('Source of the price, e.g. `book`.'),
    stake: display('Dollars of a buy.').nullable(),
    platformFee: display("The platform's fee in dollars."),
    platformFeeBps: z.int().describe("The platform's fee rate in basis points."),
    tradeAmount: display('Stake less fee of a buy, notional of a sell.'),
    contracts: quantity('Quantity to buy or sell.'),
    potentialPayout: display('Payout if the contract wins, or the proceeds of a sell.'),
    expiresAt: timestamp('Time at which the quote expires.'),
    simulated,
    freshness,
    routing: z
      .object({
        consideredVenues: z.int().min(0).describe('Number of order books that were considered.'),
        routable: z.boolean().describe('Whether a person has verified that the listings are one contract.'),
      })
      .meta({ id: 'QuoteRouting' }),
    operatorMoney: operatorMoney.nullable().describe('Money of a buy; null for a sell.'),
    operatorExitMoney: operatorExitMoney.nullable().describe('Money of a sell; null for a buy.'),
  })
  .meta({ id: 'Quote' });

export type QuoteInput = z.infer<typeof quoteInput>;
export type Quote = z.infer<typeof quote>;
