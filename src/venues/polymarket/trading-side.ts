/** Orders and account at Polymarket, loaded at first use: the code that signs takes 0.2 s to load. */
import type { RequestBucket } from '../../core/request-budget.ts';
import type { PolymarketSettings } from '../../core/venue-settings.ts';
import type { VenueAccount } from '../account.ts';
import type { Locate, RequestsLeft, Venue } from '../port.ts';
import type { PublicRest } from '../public-rest.ts';
import type { Note } from '../unknowns.ts';
import type { Builder } from './builder.ts';
import type { PolymarketOrderSide } from './orders.ts';

/**
 * Of one address: 500 reads of orders in ten seconds, of which a look-up makes up to three. Of one signer, in the lowest tier: 40
 * orders a second, 60 at once, and 80 cancellations, 120 at once.
 */
const POLYMARKET_LIMITS: readonly RequestBucket[] = [
  { perSecond: 40, burst: 200, costs: { look_up: 3, cancel: 4, send: 2 } },
  { perSecond: 40, burst: 60, costs: { send: 1 } },
  { perSecond: 80, burst: 120, costs: { cancel: 1 } },
];

export type KeySettings = PolymarketSettings & { readonly privateKeyFile: string };

export function hasKey(settings: PolymarketSettings): settings is KeySettings {
  return settings.privateKeyFile !== undefined;
}

interface Loaded {
  readonly orders: PolymarketOrderSide;
  readonly account: VenueAccount;
  close(): Promise<void>;
}

export type PolymarketTradingSide = Required<
  Pick<
    Venue,
    | 'account'
    | 'lookupIsComplete'
    | 'takesCostBound'
    | 'takesDollars'
    | 'limits'
    | 'onRequestsLeft'
    | keyof PolymarketOrderSide
    | 'close'
  >
>;

/** @param name of the venue; `<name>-clob` is the host of its order book, `<name>-data` of its positions. */
export function polymarketTradingSide(
  name: string,
  locate: Locate,
  rest: PublicRest,
  settings: KeySettings,
  note: Note,
  builder: Builder | undefined,
): PolymarketTradingSide {
  let loading: Promise<Loaded> | undefined;
  let told: (left: RequestsLeft) => void = () => undefined;

  async function load(): Promise<Loaded> {
    const [{ openClob }, { openWallet }, { openTerms }, { polymarketOrderSide }, { polymarketAccount }] =
      await Promise.all([
        import('./clob.ts'),
        import('./wallet.ts'),
        import('./trading-terms.ts'),
        import('./orders.ts'),
        import('./account.ts'),
      ]);
    const clob = openClob(name, `${name}-clob`, locate, openWallet(settings), (left) => told(left), note);
    const terms = openTerms(name, clob, async (path) => (await rest.ask(name, 'GET', path)).body, builder);
    const at = (host: string) => (path: string) => rest.ask(host, 'GET', path);
    const ask = { catalogue: at(name), book: at(`${name}-clob`) };
    return {
      orders: polymarketOrderSide(name, clob, terms, note, builder?.code),
      account: polymarketAccount(name, clob, terms, at(`${name}-data`), settings.streamUrl, note, { builder, ask }),
      close: () => clob.close(),
    };
  }

  const side = () => {
    loading ??= load();
    return loading;
  };
  const orders = async () => (await side()).orders;
  const account = async () => (await side()).account;

  return {
    // orders of this kind have no expiry there, matched ones are not kept under their hash, and no document says when a
    // trade is listed at the latest: what is not found stays unknown
    lookupIsComplete: false,
    takesCostBound: false,
    takesDollars: true,
    limits: POLYMARKET_LIMITS,
    onRequestsLeft(listener) {
      told = listener;
    },
    prepareOrder: async (order) => (await orders()).prepareOrder(order),
    placeOrder: async (order, mayWrite) => (await orders()).placeOrder(order, mayWrite),
    findOrder: async (ourId, sent) => (await orders()).findOrder(ourId, sent),
    fills: async (ourId, sent) => (await orders()).fills(ourId, sent),
    cancelOrder: async (ourId, sent) => (await orders()).cancelOrder(ourId, sent),
    account: {
      keepsBothSides: true,
      serverTime: async () => (await account()).serverTime(),
      ordersSince: async (since) => (await account()).ordersSince(since),
      fillsSince: async (since) => (await account()).fillsSince(since),
      positions: async () => (await account()).positions(),
      balanceMicros: async () => (await account()).balanceMicros(),
      redeemableMicros: async () => (await account()).redeemableMicros?.() ?? 0n,
      redeemable: async () => (await account()).redeemable?.() ?? [],
      settledSince: async (since, among) => (await account()).settledSince?.(since, among) ?? [],
      inspect: async () => (await account()).inspect?.() ?? [],
      verify: async () => (await account()).verify?.() ?? [],
      follow: (onChange) => followWhenLoaded(account(), onChange),
    },
    close: async () => {
      await (await loading)?.close();
    },
  };
}

/** Follows the account as soon as its code is loaded. */
function followWhenLoaded(
  loading: Promise<VenueAccount>,
  onChange: (refs: readonly string[]) => void,
): { close(): void } {
  let closed = false;
  let following: { close(): void } | undefined;
  loading.then(
    (account) => {
      following = closed ? undefined : account.follow?.(onChange);
    },
    // every other call to the account fails with the same reason and is logged
    () => undefined,
  );
  return {
    close() {
      closed = true;
      following?.close();
    },
  };
}
