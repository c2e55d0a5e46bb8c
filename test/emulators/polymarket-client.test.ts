/** The exchange's own clients trade at the emulated Polymarket, so that it verifies what the exchange would accept, and they read its answers. */
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stub } from '../venues/recordings.ts';
import { KEY, openPolymarketExchange, type PolymarketExchange, SIGNER } from './polymarket-venue.ts';

const folder = new URL('../../tools/polymarket-client/node_modules/', import.meta.url);
const CLIENT = new URL('@polymarket/clob-client-v2/dist/index.js', folder);
const VIEM = new URL('viem/_esm/index.js', folder);
const ACCOUNTS = new URL('viem/_esm/accounts/index.js', folder);
const NEWEST = new URL('@polymarket/client/dist/', folder);
const INSTALLED = existsSync(CLIENT) && existsSync(NEWEST);
if (!INSTALLED) {
  console.warn(
    "Polymarket's clients are missing (npm ci --prefix tools/polymarket-client --ignore-scripts): their tests are skipped.",
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

let exchange: PolymarketExchange;
beforeEach(async () => {
  exchange = await openPolymarketExchange();
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

/** What of the newest client is used here. */
interface NewestClient {
  readonly account: { readonly wallet: string; readonly walletType: number };
  fetchOrderBook(of: object): Promise<{ asks: { price: string }[] }>;
  placeMarketOrder(order: object): Promise<{ ok: boolean; orderId: string; status: string; takingAmount: string }>;
  waitForOrderFillSettlement(placed: object): Promise<string[]>;
  fetchOrder(of: object): Promise<{ status: string; sizeMatched: string }>;
  listAccountTrades(): AsyncIterable<{ items: { status: string }[] }>;
  listPositions(): AsyncIterable<{ items: object[] }>;
}

/** @param relayer says which wallets are on the chain. @param wallet undefined: the deposit wallet of the signer */
async function openNewest(relayer: string, wallet: string | undefined): Promise<NewestClient> {
  const load = (file: string) => import(new URL(file, NEWEST).href);
  const { createSecureClient, forkEnvironmentConfig } = (await load('index.js')) as {
    createSecureClient: (options: object) => Promise<NewestClient>;
    forkEnvironmentConfig: (fork: object) => object;
  };
  const { privateKey } = (await load('viem.js')) as { privateKey: (key: string) => object };
  const rest = exchange.emulator.url;
  const ws = rest.replace('http', 'ws');
  const nowhere = { rest: 'http://127.0.0.1:9', ws: 'ws://127.0.0.1:9' };
  const environment = forkEnvironmentConfig({
    name: 'emulated',
    rpc: nowhere.rest,
    clob: { rest, market: { ws: `${ws}/ws/market` }, user: { ws: `${ws}/ws/user` } },
    gamma: { rest },
    data: { rest },
    relayer: { rest: relayer },
    combos: nowhere,
    perps: nowhere,
    rtds: nowhere,
    sports: nowhere,
  });
  return createSecureClient({ signer: privateKey(KEY), environment, ...(wallet === undefined ? {} : { wallet }) });
}

test.skipIf(!INSTALLED).each([
  ['of its own', SIGNER, 0],
  ['that is a deposit wallet', undefined, 3],
])('the newest client buys and sells with a wallet %s', { timeout: 60_000 }, async (_, wallet, signatureType) => {
  const { market, tell } = exchange;
  const relayer = await stub({ '/deployed': { deployed: true } });
  const client = await openNewest(relayer.url, wallet);
  expect(client.account.walletType).toBe(signatureType);
  tell({ do: 'wallet', signer: SIGNER, funder: client.account.wallet, signatureType, cash: '1000' });
  // this release reads the older data API
  tell({ do: 'data', versions: ['v1'] });
  const [tokenId] = market.tokens;
  expect((await client.fetchOrderBook({ tokenId })).asks.map(({ price }) => price)).toEqual(['0.46', '0.45']);
  const bought = await client.placeMarketOrder({ tokenId, side: 'BUY', amount: 9.2, maxPrice: 0.46, orderType: 'FAK' });
  expect(bought).toMatchObject({ ok: true, status: 'matched', takingAmount: '20.217391' });
  expect(await client.waitForOrderFillSettlement(bought)).toEqual([expect.stringMatching(/^0x/)]);
  expect(await client.fetchOrder(bought)).toMatchObject({ status: 'MATCHED', sizeMatched: '20.217391' });
  const [trades] = await Array.fromAsync(client.listAccountTrades());
  expect(trades?.items).toMatchObject([{ status: 'TRADE_STATUS_CONFIRMED' }]);
  const [positions] = await Array.fromAsync(client.listPositions());
  expect(positions?.items).toMatchObject([{ tokenId }]);
  const sold = await client.placeMarketOrder({ tokenId, side: 'SELL', shares: 5, minPrice: 0.4, orderType: 'FAK' });
  expect(sold).toMatchObject({ ok: true, status: 'matched', takingAmount: '2' });
  relayer.close();
});
