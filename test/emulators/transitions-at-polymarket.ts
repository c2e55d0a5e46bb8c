/** The states of an order at the emulated Polymarket: open until each of its trades is confirmed or has failed. */
import { randomUUID } from 'node:crypto';
import { marketNamed } from '../../src/emulators/polymarket/control.ts';
import { fillExamples, listExamples, startPolymarketEmulator } from '../../src/emulators/polymarket/emulator.ts';
import { takerFee } from '../../src/emulators/polymarket/match-order.ts';
import { controlRequest } from '../../src/emulators/polymarket/requests.ts';
import type { Account, MakerPart, Trade } from '../../src/emulators/polymarket/state.ts';
import { KEY, keyFileWith, SIGNER } from './polymarket-venue.ts';
import { ALWAYS, type TransitionExchange } from './transition-exchange.ts';

const SEND = 'POST /order';
const LOOK_UP = 'GET /data/order/';
const AN_HOUR_MS = 3_600_000;
const AT_ONCE = { minedAt: 0, finalAt: 0 };

export async function openPolymarketTransitions(): Promise<TransitionExchange> {
  const emulator = await startPolymarketEmulator(0, 1);
  const tell = (request: object) => emulator.control(controlRequest.parse(request));
  listExamples(emulator);
  tell({ do: 'wallet', signer: SIGNER, cash: '1000' });
  const market = marketNamed(emulator.state, 'rain');
  const account = emulator.state.accounts.get(SIGNER.toLowerCase()) as Account;
  const { faults } = emulator;
  const settleAfter = (ms: number) => tell({ do: 'settlement', minedMs: ms, finalMs: ms });

  /** Ten shares at the best price, and many at the next. */
  function thinBook(): void {
    const asks = [
      ['0.42', '10'],
      ['0.43', '500'],
    ];
    tell({ do: 'book', name: 'rain', bids: [['0.40', '500']], asks });
  }

  /** The newest order's trade becomes two of one maker each, and the first is confirmed. */
  function confirmHalf(): void {
    const trade = account.trades.pop() as Trade;
    const [first, second] = trade.parts as readonly [MakerPart, MakerPart];
    const feeOf = ({ price, count }: MakerPart) => takerFee(market.feeRate, price, count);
    const rest = { ...trade, id: randomUUID(), parts: [second], fee: feeOf(second) };
    account.trades.push({ ...trade, ...AT_ONCE, parts: [first], fee: feeOf(first) }, rest);
    account.orders.get(trade.orderHash)?.trades.push(rest.id);
  }

  return {
    venue: 'polymarket',
    listingId: market.tokens[0],
    environment: {
      INLAY_POLYMARKET_URL: emulator.url,
      INLAY_POLYMARKET_CATALOGUE_URL: emulator.url,
      INLAY_POLYMARKET_DATA_URL: emulator.url,
      INLAY_POLYMARKET_PRIVATE_KEY_FILE: keyFileWith(KEY),
    },
    sends: SEND,
    reach: {
      'submitted, silent': {
        arm: () => faults.arm({ kind: 'timeout_after_apply' }, SEND),
        // not before: nothing is sent while the account cannot be compared
        advance: () => faults.arm({ kind: 'status', status: 500 }, LOOK_UP, ALWAYS),
        end: 'filled',
      },
      'submitted, working': { arm: () => settleAfter(AN_HOUR_MS), end: 'filled' },
      'partially_filled, working': {
        arm: () => {
          settleAfter(AN_HOUR_MS);
          thinBook();
        },
        asks: 2,
        advance: confirmHalf,
        end: 'filled',
      },
      'partially_filled, fee unknown': {
        cannot:
          'no trade says its fee: it follows from the schedule of the market, which is read before an order is sent',
      },
      'partially_filled, closed': { arm: () => faults.arm({ kind: 'partial', count: 10_000_000n }, SEND) },
      filled: { arm: () => undefined },
      // what the exchange answers to an order that meets nobody
      rejected: { arm: () => faults.arm({ kind: 'partial', count: 0n }, SEND) },
      'cancelled by the venue': { arm: () => faults.arm({ kind: 'trade_fails' }, SEND) },
    },
    calm: () => {
      faults.clear();
      fillExamples(emulator);
      settleAfter(0);
      account.trades.splice(0, Infinity, ...account.trades.map((trade) => ({ ...trade, ...AT_ONCE })));
    },
    orders: () => account.orders.size,
    held: () => account.shares.get(market.tokens[0]) ?? 0n,
    close: () => emulator.close(),
  };
}
