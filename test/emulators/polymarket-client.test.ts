/** The exchange's own client trades at the emulated Polymarket, so that the emulator verifies what the exchange would accept. */
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Exchange, KEY, openExchange, SIGNER } from './polymarket-venue.ts';

const folder = new URL('../../tools/polymarket-client/node_modules/', import.meta.url);
const CLIENT = new URL('@polymarket/clob-client-v2/dist/index.js', folder);
const VIEM = new URL('viem/_esm/index.js', folder);
const ACCOUNTS = new URL('viem/_esm/accounts/index.js', folder);
const INSTALLED = existsSync(CLIENT);
if (!INSTALLED) {
  console.warn(
    "Polymarket's client is missing (npm ci --prefix tools/polymarket-client --ignore-scripts): its tests are skipped.",
  );
}

/** What of the client is used here. */
interface Client {
  createOrDeriveApiKey(): Promise<object>;
  createMarketOrder(order: object, options: object): Promise<object>;
  postOrder(order: object, type: string): Promise<{ success: boolean; status: string; orderID: string }>;
  getOrder(id: string): Promise<{ status: string; size_matched: string }>;
  getTrades(filter: object): Promise<{ status: string; taker_order_id: string }[]>;
  cancelOrder(order: object): Promise<{ not_canceled: object }>;
}

const FUNDER = '0x1111111111111111111111111111111111111111';

let exchange: Exchange;
beforeEach(async () => {
  exchange = await openExchange();
});
afterEach(() => exchange.close());

async function openClient(signatureType: number): Promise<Client> {
  const { ClobClient } = (await import(CLIENT.href)) as { ClobClient: new (options: object) => Client };
  const { createWalletClient, http } = (await import(VIEM.href)) as {
    createWalletClient: (options: object) => object;
    http: (url: string) => object;
  };
  const { privateKeyToAccount } = (await import(ACCOUNTS.href)) as { privateKeyToAccount: (key: string) => object };
  const signer = createWalletClient({ account: privateKeyToAccount(KEY), transport: http('http://127.0.0.1:9') });
  const funder = signatureType === 0 ? {} : { funderAddress: FUNDER };
  const options = { host: exchange.emulator.url, chain: 137, signer, signatureType, ...funder };
  const creds = await new ClobClient(options).createOrDeriveApiKey();
  return new ClobClient({ ...options, creds });
}

test.skipIf(!INSTALLED).each([0, 1, 2, 3])('with a wallet of kind %i', { timeout: 60_000 }, async (signatureType) => {
  const { market, tell } = exchange;
  const funder = signatureType === 0 ? SIGNER : FUNDER;
  tell({ do: 'wallet', signer: SIGNER, funder, signatureType, cash: '1000' });
  const client = await openClient(signatureType);
  const wanted = { tokenID: market.tokens[0], side: 'BUY', amount: 9.2, price: 0.46, orderType: 'FAK' };
  const order = await client.createMarketOrder(wanted, { tickSize: '0.01', negRisk: false });
  const answer = await client.postOrder(order, 'FAK');
  expect(answer).toMatchObject({ success: true, status: 'matched' });
  expect(await client.getOrder(answer.orderID)).toMatchObject({ status: 'MATCHED', size_matched: '20.217391' });
  expect(await client.getTrades({ maker_address: funder })).toMatchObject([
    { status: 'CONFIRMED', taker_order_id: answer.orderID },
  ]);
  expect(await client.cancelOrder({ orderID: answer.orderID })).toMatchObject({
    not_canceled: { [answer.orderID]: expect.any(String) },
  });
  const again = (await client.postOrder(order, 'FAK')) as unknown as { error: string };
  expect(again.error).toContain('Duplicated');
});
