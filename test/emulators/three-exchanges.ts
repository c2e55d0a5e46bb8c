/** Emulated Kalshi, Polymarket and Gemini, each with its example markets and our account; one contract is listed at all three. */
import { dirname } from 'node:path';
import {
  fillExamples as fillGemini,
  listExamples as listGemini,
  startGeminiEmulator,
} from '../../src/emulators/gemini/emulator.ts';
import { controlRequest as geminiRequest } from '../../src/emulators/gemini/requests.ts';
import {
  fillExamples as fillKalshi,
  listExamples as listKalshi,
  startKalshiEmulator,
} from '../../src/emulators/kalshi/emulator.ts';
import { controlRequest as kalshiRequest } from '../../src/emulators/kalshi/requests.ts';
import {
  fillExamples as fillPolymarket,
  listExamples as listPolymarket,
  startPolymarketEmulator,
} from '../../src/emulators/polymarket/emulator.ts';
import { controlRequest } from '../../src/emulators/polymarket/requests.ts';
import { type Match, matchListings, readListing } from '../../src/markets/matching.ts';
import type { openWorld } from '../support/world.ts';
import type { ExchangeName } from './every-exchange.ts';
import { KEY_ID, newGeminiKey } from './gemini-venue.ts';
import { newKalshiKey } from './kalshi-venue.ts';
import { KEY, keyFileWith, SIGNER } from './polymarket-venue.ts';

export const NAMES = ['kalshi', 'polymarket', 'gemini'] as const satisfies readonly ExchangeName[];

/** @param seed of the faults at random */
export async function startThreeExchanges(seed: number) {
  const kalshi = await startKalshiEmulator(0, seed);
  listKalshi(kalshi);
  const keyFile = newKalshiKey(kalshi, 'k', 100_000_000_000n);
  const polymarket = await startPolymarketEmulator(0, seed);
  listPolymarket(polymarket);
  polymarket.control(controlRequest.parse({ do: 'wallet', signer: SIGNER, cash: '100000' }));
  polymarket.control(controlRequest.parse({ do: 'settlement', minedMs: 100, finalMs: 400 }));
  const gemini = await startGeminiEmulator(0, seed);
  listGemini(gemini);
  const secretFile = newGeminiKey(gemini, KEY_ID, '100000');
  const emulators = { kalshi, polymarket, gemini } as const;
  const wallet = polymarket.state.accounts.get(SIGNER.toLowerCase());
  let gifts = 0;
  /** The contract that all three list. */
  const listings = {
    kalshi: 'KXEXAMPLE-RAIN',
    polymarket: [...polymarket.state.markets.values()][0]?.tokens[0] ?? '',
    gemini: 'GEMI-EXAMPLE-RAIN',
  } as const;
  return {
    emulators,
    listings,
    /** A folder of this run. */
    folder: dirname(keyFile),
    environment: {
      INLAY_VENUES: NAMES.join(),
      INLAY_KALSHI_URL: kalshi.url,
      INLAY_KALSHI_KEY_ID: 'k',
      INLAY_KALSHI_PRIVATE_KEY_FILE: keyFile,
      INLAY_POLYMARKET_URL: polymarket.url,
      INLAY_POLYMARKET_CATALOGUE_URL: polymarket.url,
      INLAY_POLYMARKET_DATA_URL: polymarket.url,
      INLAY_POLYMARKET_PRIVATE_KEY_FILE: keyFileWith(KEY),
      INLAY_GEMINI_URL: gemini.url,
      INLAY_GEMINI_KEY_ID: KEY_ID,
      INLAY_GEMINI_SECRET_FILE: secretFile,
    },
    /** The books as they were at first, with so many micro-contracts at each price. */
    fill(counts: Readonly<Record<ExchangeName, bigint>>): void {
      fillKalshi(kalshi, counts.kalshi);
      fillPolymarket(polymarket, counts.polymarket);
      fillGemini(gemini, counts.gemini);
    },
    /** Waits until all three list the contract, and matches them. @returns the last of the matches */
    async match({ sql, listed }: Awaited<ReturnType<typeof openWorld>>): Promise<Match> {
      const [first, ...others] = NAMES;
      let matched: Match | undefined;
      for (const name of NAMES) {
        await listed(name, listings[name]);
      }
      for (const other of others) {
        const pair = [
          await readListing(sql, `${first}:${listings[first]}`),
          await readListing(sql, `${other}:${listings[other]}`),
        ] as const;
        matched = await matchListings(sql, pair, { inverse: false, note: null });
      }
      return matched as Match;
    },
    /** Pays us so many dollars; without a kind no list of the exchange contains it. */
    pay: {
      kalshi: (amount: string, kind?: string, id?: string) =>
        kalshi.control(
          kalshiRequest.parse(
            kind === undefined ? { do: 'pay', keyId: 'k', amount } : { do: kind, keyId: 'k', id, amount },
          ),
        ),
      polymarket: (amount: string, type?: string) =>
        polymarket.control(controlRequest.parse({ do: 'pay', signer: SIGNER, amount, type })),
      gemini: (amount: string, type?: string) =>
        gemini.control(geminiRequest.parse({ do: 'pay', keyId: KEY_ID, amount, type })),
    },
    /** A stranger sends shares of the contract to our wallet. */
    gift(outcome: 0 | 1, shares: string): void {
      const [name] = polymarket.state.markets.keys();
      polymarket.control(controlRequest.parse({ do: 'gift', signer: SIGNER, name, outcome, shares }));
      gifts += 1;
    },
    gifts: () => gifts,
    /** A dollar vanishes from our account. */
    steal(name: ExchangeName): void {
      const dollar = 1_000_000n;
      const account = { kalshi: undefined, polymarket: wallet, gemini: gemini.state.accounts.get(KEY_ID) }[name];
      if (account === undefined) {
        const cash = kalshi.state.accounts.get('k')?.cash;
        cash?.set(0, (cash.get(0) ?? 0n) - dollar);
      } else {
        account.cash -= dollar;
      }
    },
    /** Our ids of the orders that arrived: at Polymarket the hash of the signed order. */
    arrived: (): Record<ExchangeName, string[]> => ({
      kalshi: [...(kalshi.state.accounts.get('k')?.orders.values() ?? [])].map(({ clientOrderId }) => clientOrderId),
      polymarket: [...(polymarket.state.accounts.get(SIGNER.toLowerCase())?.orders.keys() ?? [])],
      gemini: [...(gemini.state.accounts.get(KEY_ID)?.orders.values() ?? [])].map(({ sentId }) => sentId ?? ''),
    }),
    async close(): Promise<void> {
      for (const emulator of Object.values(emulators)) {
        await emulator.close();
      }
    },
  };
}
