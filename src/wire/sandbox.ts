/**
 * The parts of the wire that only sandbox tenants have: wallet, scenarios, resolutions, and test funding, which has no real chain behind it
 * (contract 32.3 to 32.15).
 */
import { z } from 'zod';
import { amount, currency, timestamp } from './money.ts';
import { clampedPage, count, hasMore, nextCursor, reference } from './page.ts';

const externalUserId = z.string().describe("The operator's own id of the customer.");

export const balance = z
  .object({
    externalUserId,
    currency,
    available: amount('Amount that can be spent.'),
    held: amount('Amount held by orders that are not final.'),
    total: amount('Sum of available and held.'),
  })
  .meta({ id: 'Balance' });
export const balanceQuery = z.object({ currency: z.string().optional().describe('`USD` is the only currency.') });

const walletEntry = z
  .object({
    id: z.string().describe('Id of the ledger entry.'),
    movementType: z.string().describe('Kind of the movement, e.g. `SANDBOX_CREDIT`.'),
    memo: z.string().describe('Text for people.'),
    amount: amount('Signed amount. All amounts add up to `total` of the balance.'),
    balanceAfter: amount('Balance of the wallet after the movement.'),
    occurredAt: timestamp('Time at which the movement was recorded.'),
    referenceType: z.string().describe('Kind of the record that caused the movement.'),
    referenceId: z.string().describe('Id of the record that caused the movement.'),
  })
  .meta({ id: 'WalletEntry' });
export const walletPage = z
  .object({ entries: z.array(walletEntry), count, nextCursor, hasMore })
  .meta({ id: 'WalletPage' });
export const walletQuery = z.object(clampedPage);

/** Refusals are `scenario_invalid`. */
export const scenarioInput = z
  .object({
    kind: z.literal('partial_fill').describe('Outcome that the scenario gives to the order.'),
    fillFraction: z.number().gt(0).lt(1).nullish().describe('Part of the contracts that fills.'),
    fillAmountMinor: z
      .int()
      .min(1)
      .nullish()
      .describe('Cents that fill: of the authorization of a buy, or of the notional of a sell.'),
    clientOrderId: reference.nullish().describe('Id of the order to which it applies; by default the next order.'),
  })
  .refine((body) => ((body.fillFraction ?? null) === null) !== ((body.fillAmountMinor ?? null) === null), {
    message: 'exactly one of fillFraction and fillAmountMinor',
    path: ['fillFraction'],
  })
  .meta({
    description: 'Exactly one of `fillFraction` and `fillAmountMinor`.',
    anyOf: [
      {
        required: ['fillFraction'],
        properties: { fillFraction: { type: 'number' }, fillAmountMinor: { type: 'null' } },
      },
      {
        required: ['fillAmountMinor'],
        properties: { fillAmountMinor: { type: 'integer' }, fillFraction: { type: 'null' } },
      },
    ],
  });
export const scenario = z
  .object({
    scenarioId: z.string().describe('Id of the scenario.'),
    kind: z.literal('partial_fill').describe('Outcome that the scenario gives to the order.'),
    fillFraction: z.number().nullable().describe('Part that fills; null if an amount was given.'),
    fillAmount: amount('Amount that fills.').nullable().describe('Amount that fills; null if a fraction was given.'),
    clientOrderId: z.string().nullable().describe('Id of the order to which it applies; null for the next order.'),
    expiresAt: timestamp('One hour after it was armed.'),
  })
  .meta({ id: 'Scenario' });
export const scenarioList = z
  .object({ scenarios: z.array(scenario).describe('Armed scenarios that have not fired and not expired.') })
  .meta({ id: 'ScenarioList' });
export const scenarioListQuery = z.object({
  disarm: z
    .string()
    .optional()
    .describe('Id of a scenario to remove first. An unknown id is refused with 404 `scenario_not_found`.'),
});

export const scenarioParams = z.object({ id: z.string().describe('Id of the scenario.') });

const RESOLUTIONS = ['WIN', 'LOSS', 'VOID'] as const;

/** Refusals are `invalid_body`. The resolution is relative to the position's own side. */
export const resolutionInput = z.object({
  positionId: z.string().min(1).max(100).describe('An open position.'),
  resolution: z
    .string()
    .toUpperCase()
    .pipe(z.enum(RESOLUTIONS))
    .meta({ enum: RESOLUTIONS, description: 'Result for the side of the position, in upper or lower case.' }),
});
export const resolution = z
  .object({
    positionId: z.string().describe('The position.'),
    resolution: z.enum(RESOLUTIONS).describe('The requested resolution.'),
    alreadyRequested: z.boolean().describe('Whether the same resolution was requested before.'),
    settled: z.boolean().describe('Whether the position has settled.'),
    reason: z.string().nullable().describe('Reason why it has not settled yet; otherwise null.'),
  })
  .meta({ id: 'ResolutionAnswer' });

export type Balance = z.infer<typeof balance>;
export type WalletPage = z.infer<typeof walletPage>;
export type ScenarioInput = z.infer<typeof scenarioInput>;
export type Scenario = z.infer<typeof scenario>;
export type ResolutionAnswer = z.infer<typeof resolution>;

const symbol = z.string().describe('Symbol of the asset, e.g. `USDC`.');
const chainId = z.union([z.int(), z.string()]).describe('Id of the chain.');

export const assetsQuery = z.object({
  symbol: z.string().optional().describe('Only this asset.'),
  symbols: z.string().optional().describe('Only these assets, comma-separated.'),
  chainId: z.string().optional().describe('Only assets on this chain.'),
});

const asset = z.object({
  symbol,
  name: z.string().describe('Name of the asset.'),
  chainId,
  chain: z.string().describe('Name of the chain.'),
  decimals: z.int().min(0).describe('Decimal places of the asset.'),
  minAmount: z.string().describe('Smallest deposit, as a decimal string.'),
});
export const assets = z
  .object({ assets: z.array(asset), count: z.int().min(0).describe('Number of assets.') })
  .meta({ id: 'Assets' });

export const depositAddressInput = z.object({
  symbol: z.string().min(1).max(20).describe('Symbol of a supported asset.'),
  chainId: z.union([z.int(), z.string().min(1).max(40)]).describe('Id of a supported chain.'),
});
export const depositAddress = z
  .object({
    depositId: z.string().describe('Id of the deposit to watch.'),
    address: z.string().describe('Address for test funds.'),
    symbol,
    chainId,
    memo: z.string().nullable().describe('Tag of the transfer, if the chain needs one.'),
    expiresAt: timestamp('Time at which the address expires.'),
  })
  .meta({ id: 'DepositAddress' });

export const depositQuery = z.object({
  sync: z
    .string()
    .optional()
    .meta({ type: 'boolean', default: true, description: '`false` skips the poll of the bridge.' }),
});
export const deposit = z
  .object({
    depositId: z.string().describe('Id of the deposit.'),
    status: z.enum(['awaiting', 'confirming', 'credited']).describe('State of the deposit.'),
    symbol,
    chainId,
    amount: z.string().nullable().describe('Amount received in the asset, as a decimal string.'),
    creditedAmount: amount('Amount credited to the wallet.').nullable(),
    address: z.string().describe('Address to which it was sent.'),
    createdAt: timestamp('Time at which the address was created.'),
    creditedAt: timestamp('Time of the credit.').nullable(),
  })
  .meta({ id: 'Deposit' });

export type Assets = z.infer<typeof assets>;
export type DepositAddress = z.infer<typeof depositAddress>;
export type Deposit = z.infer<typeof deposit>;
