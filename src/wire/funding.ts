/** Test funding of a sandbox customer on the wire (contract 32.5 to 32.7). No real chain is behind it. */
import { z } from 'zod';
import { amount, timestamp } from './money.ts';

const symbol = z.string().describe('Symbol of the asset, e.g. `USDC`.');
const chainId = z.union([z.int(), z.string()]).describe('Id of the chain.');

export const assetsQuery = z.object({
  symbol: z.string().optional().describe('Only this asset.'),
  symbols: z.string().optional().describe('Only these assets, comma-separated.'),
  chainId: z.string().optional().describe('Only on this chain.'),
});

const asset = z.object({
  symbol,
  name: z.string().describe('Name of the asset.'),
  chainId,
  chain: z.string().describe('Name of the chain.'),
  decimals: z.int().min(0).describe('Places of the asset.'),
  minAmount: z.string().describe('Least deposit, decimal string.'),
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
    address: z.string().describe('Where test funds would be sent.'),
    symbol,
    chainId,
    memo: z.string().nullable().describe('Tag of the transfer, where the chain needs one.'),
    expiresAt: timestamp('End of the address.'),
  })
  .meta({ id: 'DepositAddress' });

export const depositQuery = z.object({
  sync: z.string().optional().describe('`false` skips the poll of the bridge.'),
});
export const deposit = z
  .object({
    depositId: z.string().describe('Id of the deposit.'),
    status: z.enum(['awaiting', 'confirming', 'credited']).describe('State of the deposit.'),
    symbol,
    chainId,
    amount: z.string().nullable().describe('Received, decimal string in the asset.'),
    creditedAmount: amount('Credited to the wallet.').nullable(),
    address: z.string().describe('Where it was sent.'),
    createdAt: timestamp('When the address was made.'),
    creditedAt: timestamp('When it was credited.').nullable(),
  })
  .meta({ id: 'Deposit' });

export type Assets = z.infer<typeof assets>;
export type DepositAddress = z.infer<typeof depositAddress>;
export type Deposit = z.infer<typeof deposit>;
