/**
 * Money blocks and the small shapes that all resources consist of (contract chapter 4, contract 13.17). Shapes only: amounts that are
 * booked are decimal strings here, and this room computes none.
 */
import { z } from 'zod';

/** Exact decimal string with two places, signed if the field may be negative. */
export const amount = (meaning: string) =>
  z
    .string()
    .regex(/^-?\d+\.\d{2}$/)
    .describe(`${meaning} Exact decimal string in US dollars.`);

/** A number for display, never for booking. */
export const display = (meaning: string) => z.number().describe(`${meaning} For display, never booked.`);
export const price = (meaning: string) => z.number().min(0).max(1).describe(`${meaning} Dollars per contract, 0 to 1.`);
export const quantity = (meaning: string) =>
  z.number().min(0).describe(`${meaning} In contracts, with up to six decimal places.`);
export const timestamp = (meaning: string) => z.iso.datetime().describe(`${meaning} ISO-8601, UTC.`);

export const currency = z.literal('USD').describe('All booked amounts are US dollars.');
export const side = z.enum(['YES', 'NO']).describe('Side of the contract.');
export const action = z.enum(['buy', 'sell']).describe('A buy is sized by stake, a sell by contracts.');
export const simulated = z.boolean().describe('Whether the service itself produces the fills.');

export const operatorMoney = z
  .object({
    currency,
    authorizationAmount: amount('Reserve this before the order.'),
    actualDebit: amount('Take this once the fill is known: trade amount, platform fee and venue fee.'),
    releaseAmount: amount('Give this back: the authorization less the debit.'),
    tradeAmount: amount('Amount spent on contracts.'),
    platformFee: amount("The platform's fee."),
    venueFee: amount('Fee that the venue took; a placeholder while `venueFeeKnown` is false.'),
    venueFeeKnown: z
      .boolean()
      .describe('Whether the fee of the venue is known. While it is false, `venueFee` is a placeholder.'),
  })
  .meta({
    id: 'OperatorMoney',
    description: 'What to do in your own ledger for a buy. Apply it as given, and never recompute it.',
  });

export const operatorExitMoney = z
  .object({
    currency,
    sellProceeds: amount('Credit this. Both fees are already taken off.'),
    platformFee: amount("The platform's fee, already taken off."),
    venueFee: amount('Fee that the venue took, already taken off; a placeholder while `venueFeeKnown` is false.'),
    venueFeeKnown: z
      .boolean()
      .describe('Whether the fee of the venue is known. While it is false, `venueFee` is a placeholder.'),
  })
  .meta({ id: 'OperatorExitMoney', description: 'What to do in your own ledger for a sell. An exit never debits.' });

export const settlementMoney = z
  .object({
    currency,
    settlementCredit: amount('Credit a winner with this.'),
    voidCredit: amount('Credit a void with this: a full refund, or a split payout.'),
  })
  .meta({
    id: 'SettlementMoney',
    description: 'What to credit for a settlement. At most one amount is not zero; a loss zeroes both.',
  });

/** Money of a plain movement. */
export const movementMoney = z
  .object({ currency, amount: amount('Amount of the movement.') })
  .meta({ id: 'MovementMoney' });

export type OperatorMoney = z.infer<typeof operatorMoney>;
