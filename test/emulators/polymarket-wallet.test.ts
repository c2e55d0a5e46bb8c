/** The wallet that the adapter of Polymarket signs for: its kinds, its credentials, and what it can pay. */
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readEnvironment } from '../../src/core/environment.ts';
import type { AccountCheck, OrderToPlace, VenueUnknown } from '../../src/venues/port.ts';
import {
  keyFileWith,
  OTHER_KEY,
  openPolymarketExchange,
  orderOf,
  type PolymarketExchange,
  prepare,
  SIGNER,
  send,
} from './polymarket-venue.ts';

let exchange: PolymarketExchange;
beforeEach(async () => {
  exchange = await openPolymarketExchange();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await exchange.close();
});

const order = (changes: Partial<OrderToPlace> = {}) => orderOf(exchange, changes);
const failure = async (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (cause: unknown) => cause,
  );

describe('the wallet', () => {
  // as the exchange's own client derives them from the signer: @polymarket/client 0.2.0, src/wallet.ts
  const PROXY = '0x365f0ca36ae1f641e02fe3b7743673da42a13a70';
  const SAFE = '0xd93b25cb943d14d0d34fbaf01fc93a0f8b5f6e47';
  const FUNDER = '0xBc0fF067b7740Eff76C1ca93c875Ba6B890d6B50';
  const OLDER = '0xdf8b9e8f9ab23f261f6e1b171b7454ae6e46ba76';
  const NOBODY = '0x1234567890123456789012345678901234567890';

  test.each([
    [1, PROXY],
    [2, SAFE],
    [3, FUNDER],
    [3, OLDER],
  ])('of kind %i holds the money for its owner, whose key signs', async (signatureType, funder) => {
    exchange.tell({ do: 'wallet', signer: SIGNER, funder, signatureType, cash: '1000' });
    const venue = exchange.open({ signatureType, funder });
    const one = await prepare(venue, order());
    await venue.placeOrder(one, () => true);
    expect(await venue.findOrder(one.ourId, one)).toMatchObject({ order: { state: 'closed', fills: [{}, {}] } });
    await venue.close();
  });

  test.each([
    ['wallet', FUNDER],
    ['owner', SIGNER],
    // a key of the owner counts for the wallet once the exchange has read what the wallet has
    ['owner_after_update', SIGNER],
  ])(
    'that is a deposit wallet trades with the API key that the exchange gives: bound to %s',
    async (apiKeyBinding, of) => {
      exchange.tell({ do: 'wallet', signer: SIGNER, funder: FUNDER, signatureType: 3, cash: '1000', apiKeyBinding });
      const venue = exchange.open({ signatureType: 3, funder: FUNDER });
      expect(await send(venue, order())).toMatchObject({ outcome: 'accepted' });
      const [key] = (await venue.account?.inspect?.()) ?? [];
      const whose = of === SIGNER ? '' : `; the API key is that of ${FUNDER}`;
      expect(key).toEqual({
        name: 'key',
        ok: true,
        detail: `${SIGNER} is accepted${whose}; the money is that of ${FUNDER}`,
      });
      expect(await venue.account?.verify?.()).toContainEqual(
        expect.objectContaining({ name: 'api key', ok: true, ...(of === SIGNER ? { warning: true } : {}) }),
      );
      await venue.close();
    },
  );

  test('that is a deposit wallet is refused with the key of its owner, if the exchange wants the wallet’s', async () => {
    exchange.tell({ do: 'wallet', signer: SIGNER, funder: FUNDER, signatureType: 3, cash: '1000' });
    const venue = exchange.open({ signatureType: 3, funder: FUNDER });
    const one = await prepare(venue, order());
    const known = exchange.emulator.state.accounts.get(SIGNER.toLowerCase());
    Object.assign(known ?? {}, { apiKeyBinding: 'wallet' });
    expect(await venue.placeOrder(one, () => true)).toMatchObject({ outcome: 'rejected', reason: 'invalid_signature' });
    await venue.close();
  });

  test('is a deposit wallet where a funder is named and no kind', () => {
    const read = (values: object) => readEnvironment({ ...values }).venueSettings.polymarket.signatureType;
    expect(read({})).toBe(0);
    expect(read({ INLAY_POLYMARKET_FUNDER: FUNDER })).toBe(3);
    expect(read({ INLAY_POLYMARKET_FUNDER: FUNDER, INLAY_POLYMARKET_SIGNATURE_TYPE: '2' })).toBe(2);
  });

  test.each([
    [
      1,
      SAFE,
      'INLAY_POLYMARKET_SIGNATURE_TYPE is 1 and should be 2: INLAY_POLYMARKET_FUNDER is the Safe of the signer',
    ],
    [3, SIGNER, 'INLAY_POLYMARKET_SIGNATURE_TYPE is 3 and should be 0: INLAY_POLYMARKET_FUNDER is the signer itself'],
    [2, undefined, 'INLAY_POLYMARKET_SIGNATURE_TYPE is 2 and should be 0: INLAY_POLYMARKET_FUNDER is not set'],
    [0, FUNDER, 'is 0 and should be 3: INLAY_POLYMARKET_FUNDER is the deposit wallet of the signer'],
  ])('that is set as kind %i and is another is named, and nothing is sent', async (signatureType, funder, reason) => {
    const venue = exchange.open({ signatureType, funder });
    const message = expect.stringContaining(reason);
    expect(await failure(prepare(venue, order()))).toMatchObject({ name: 'VenueUnknown', notTaken: true, message });
    expect(await failure(venue.account?.positions() ?? Promise.resolve())).toMatchObject({ message });
    expect(await venue.account?.inspect?.()).toContainEqual({ name: 'key', ok: false, detail: message });
    await venue.close();
  });

  test('that is none of the signer is named, and so is an order that was not signed for its wallet', async () => {
    exchange.tell({ do: 'wallet', signer: SIGNER, funder: FUNDER, signatureType: 3, cash: '1000' });
    const venue = exchange.open({ signatureType: 3, funder: NOBODY });
    expect(await send(venue, order())).toMatchObject({ outcome: 'rejected', reason: 'invalid_signature' });
    expect(venue.unknowns?.().map(({ about }) => about)).toEqual([
      'INLAY_POLYMARKET_FUNDER',
      'INLAY_POLYMARKET_SIGNATURE_TYPE and INLAY_POLYMARKET_FUNDER',
    ]);
    expect(await venue.account?.inspect?.()).toContainEqual({
      name: 'key',
      ok: false,
      warning: true,
      detail: expect.stringMatching(/INLAY_POLYMARKET_FUNDER: the address is not a wallet of the key that signs$/),
    });
    await venue.close();
  });

  test('of an account that needs a deposit wallet is refused by its text', async () => {
    exchange.tell({ do: 'wallet', signer: SIGNER, funder: FUNDER, signatureType: 3, cash: '1000' });
    expect(await send(exchange.venue, order())).toMatchObject({ outcome: 'rejected', reason: 'invalid_signature' });
    expect(exchange.venue.unknowns?.()).toMatchObject([{ about: expect.stringContaining('SIGNATURE_TYPE') }]);
  });

  test('of a market with neg risk signs for the other contract', async () => {
    const { tell, venue, emulator } = exchange;
    tell({ do: 'market', name: 'n', title: 'N', closeTime: '2099-01-01T00:00:00Z', negRisk: true });
    tell({ do: 'book', name: 'n', bids: [], asks: [['0.46', '100']] });
    const listingId = emulator.state.markets.get('n')?.tokens[0] ?? '';
    expect(await send(venue, order({ listingId }))).toMatchObject({ outcome: 'accepted' });
  });

  test('that the exchange does not know is refused before an order is sent', async () => {
    const venue = exchange.open({ privateKeyFile: keyFileWith(OTHER_KEY) });
    expect(await failure(prepare(venue, order()))).toMatchObject({ name: 'VenueUnknown', notTaken: true });
    await venue.close();
  });

  test.each(['', '0x12', undefined])(
    'whose key file holds no key is one failure that names the setting',
    async (text) => {
      const keyFile = keyFileWith(text ?? '');
      if (text === undefined) {
        rmSync(keyFile);
      }
      const venue = exchange.open({ privateKeyFile: keyFile });
      const { account } = venue;
      const reason = `INLAY_POLYMARKET_PRIVATE_KEY_FILE: the key file ${keyFile} cannot be read`;
      const asks: (() => unknown)[] = [
        () => account?.balanceMicros(),
        () => account?.positions(),
        () => prepare(venue, order()),
      ];
      for (const ask of asks) {
        expect(await failure(Promise.resolve().then(ask))).toMatchObject({
          name: 'VenueUnknown',
          message: expect.stringContaining(reason),
        });
      }
      // the clock of the exchange is read without it
      expect(await account?.serverTime()).toBeInstanceOf(Date);
      expect(await account?.inspect?.()).toContainEqual(
        expect.objectContaining({ name: 'key', ok: false, detail: expect.stringContaining(reason) }),
      );
      await venue.close();
    },
  );

  test('keeps what was answered about credentials to itself, for it may hold the secret', async () => {
    const body = { apiKey: 'key', secret: 'c2VjcmV0', passphrase: 7 };
    exchange.tell({ do: 'fault', on: 'GET /auth', fault: { kind: 'status', status: 200, body } });
    const error = (await failure(prepare(exchange.venue, order()))) as VenueUnknown;
    expect([error.notTaken, error.evidence, error.cause]).toEqual([true, null, undefined]);
    expect(error.message).not.toContain('c2VjcmV0');
  });

  test('whose credentials were revoked asks for new ones, and the order counts as not taken', async () => {
    const { venue, account } = exchange;
    const one = await prepare(venue, order());
    account.credentials = null;
    expect(await failure(venue.placeOrder(one, () => true))).toMatchObject({ notTaken: true });
    const next = await prepare(venue, order());
    expect(await venue.placeOrder(next, () => true)).toMatchObject({ outcome: 'accepted' });
  });
});

describe('what the wallet can pay', () => {
  const wallet = (parts: object) => exchange.tell({ do: 'wallet', signer: SIGNER, ...parts });

  test('a buy beyond the balance, fee included, is not prepared and so never sent', async () => {
    wallet({ cash: '9.3' });
    // 9.20 dollars and 0.248400 of fee
    expect(await exchange.venue.prepareOrder?.(order())).toEqual({ unfit: 'unpaid' });
    wallet({ cash: '9.4484' });
    expect(await exchange.venue.prepareOrder?.(order())).toHaveProperty('venueRef');
  });

  test('a buy beyond the allowance is not prepared, and doctor says what to do', async () => {
    wallet({ cash: '1000', allowance: '5' });
    expect(await exchange.venue.prepareOrder?.(order())).toEqual({ unfit: 'unpaid' });
    expect(await exchange.venue.account?.inspect?.()).toEqual([
      { name: 'key', ok: true, detail: `${SIGNER} is accepted; the money is that of ${SIGNER}` },
      { name: 'clock', ok: true, detail: expect.stringMatching(/^-?\d+ ms from that of this machine$/) },
      { name: 'region', ok: true, detail: 'the exchange takes orders from IE, L' },
      { name: 'closed only', ok: true, detail: 'the account may open positions' },
      { name: 'balance', ok: true, detail: '1000 dollars' },
      {
        name: 'allowance',
        ok: false,
        detail:
          "markets of kind ordinary may take 5 dollars, neg-risk may take 5 dollars, protocol version 2 may take 5 dollars; make one trade on the exchange's site to set the allowance",
      },
      { name: 'redeemable', ok: true, detail: 'nothing waits to be redeemed' },
    ]);
  });

  test('doctor says that the exchange takes no orders from this place, or lets the account only close', async () => {
    const { venue, tell } = exchange;
    const one = await prepare(venue, order());
    tell({ do: 'trading', mode: 'restricted' });
    expect(await failure(venue.placeOrder(one, () => true))).toMatchObject({ status: 403, notTaken: true });
    tell({ do: 'trading', mode: 'open' });
    wallet({ cash: '1000', closedOnly: true });
    const later = exchange.open();
    expect(await send(later, order())).toMatchObject({ outcome: 'rejected', reason: 'account_restricted' });
    tell({ do: 'trading', mode: 'restricted' });
    const named = (checks: readonly AccountCheck[] = []) =>
      checks.filter(({ name }) => ['region', 'closed only'].includes(name));
    expect(named(await later.account?.inspect?.())).toEqual([
      { name: 'region', ok: false, detail: expect.stringContaining('takes no orders from IE, L') },
      { name: 'closed only', ok: false, detail: expect.stringContaining('refuses every buy') },
    ]);
    exchange.tell({ do: 'fault', on: 'GET /api/geoblock', fault: { kind: 'html' } });
    expect(named(await later.account?.inspect?.())[0]).toMatchObject({ ok: false, warning: true });
    await later.close();
  });

  test('a sale of shares that are not there is not prepared', async () => {
    const { spendMicros: _, ...sale } = order({ action: 'SELL', limitPriceMicros: 400_000n });
    expect(await exchange.venue.prepareOrder?.(sale)).toEqual({ unfit: 'unpaid' });
  });

  test('before the answer is no, the exchange reads the chain again', async () => {
    wallet({ cash: '1' });
    const answer = exchange.emulator.faults.take.bind(exchange.emulator.faults);
    vi.spyOn(exchange.emulator.faults, 'take').mockImplementation((on) => {
      if (on === 'GET /balance-allowance/update') {
        wallet({ cash: '1000' });
      }
      return answer(on);
    });
    expect(await exchange.venue.prepareOrder?.(order())).toHaveProperty('venueRef');
  });

  test('a resolved position is shown as redeemable until it is redeemed', async () => {
    const { venue, tell } = exchange;
    const one = await prepare(venue, order());
    await venue.placeOrder(one, () => true);
    expect(await venue.findOrder(one.ourId, one)).toMatchObject({ order: { state: 'closed' } });
    tell({ do: 'oracle', name: 't', status: 'resolved', payout: ['0.5', '0.5'] });
    // 20.217391 shares at one half
    expect(await venue.account?.redeemableMicros?.()).toBe(10_108_695n);
    expect(await venue.account?.inspect?.()).toContainEqual(
      expect.objectContaining({
        name: 'redeemable',
        warning: true,
        detail: expect.stringContaining('10.108695 dollars'),
      }),
    );
    tell({ do: 'redeem' });
    expect(await venue.account?.redeemableMicros?.()).toBe(0n);
  });
});
