/** The table of `feed tail` at three widths, held in files. `npx vitest run test/cli/feed-view.test.ts -u` writes them anew. */
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { renderToString } from 'ink';
import { createElement } from 'react';
import { expect, test } from 'vitest';
import { FeedView } from '../../src/cli/terminal/feed-view.ts';
import type { FeedItem } from '../../src/client/shapes.ts';

const USD = { currency: 'USD' } as const;

/** What a purchase and its settlement write. */
const ITEMS = [
  {
    type: 'order.state_changed',
    money: { ...USD, actualDebit: '10.00' },
    detail: { action: 'buy', side: 'YES', fromState: null, toState: 'filled' },
  },
  { type: 'order.filled', money: null, detail: { quantity: 17.192982, side: 'YES', price: 0.57 } },
  { type: 'fee.assessed', money: { ...USD, amount: '0.20' }, detail: { kind: 'platform' } },
  {
    type: 'ledger.posted',
    money: {
      ...USD,
      amount: '10.00',
      lines: [
        { accountId: 'wallet:a-player-with-a-long-name', debit: '10.00', credit: '0.00' },
        { accountId: 'stakes', debit: '0.00', credit: '9.80' },
        { accountId: 'fees:platform', debit: '0.00', credit: '0.20' },
      ],
    },
    detail: { memo: 'Buy of 17.192982 YES at 0.57, with a memo that is longer than a narrow terminal' },
  },
  {
    type: 'position.settled',
    money: { ...USD, settlementCredit: '17.19', voidCredit: '0.00' },
    detail: { contracts: 17.192982, side: 'YES', outcome: 'won', realisedPnl: '7.19' },
  },
  {
    type: 'ledger.posted',
    money: {
      ...USD,
      amount: '10000.00',
      lines: [
        { accountId: 'sandbox:funds', debit: '10000.00', credit: '0.00' },
        { accountId: 'wallet:a-player-with-a-long-name', debit: '0.00', credit: '10000.00' },
      ],
    },
    detail: { memo: 'Opening test funds' },
  },
  { type: 'collateral.moved', money: { ...USD, amount: '500.00' }, detail: { kind: 'withdrawal' } },
].map((item, index) => ({
  ...item,
  sequence: 1_204 + index,
  occurredAt: `2026-11-01T12:00:0${index}.000Z`,
  externalUserId: 'a-player-with-a-long-name',
})) as unknown as FeedItem[];

test.each([80, 120, 200])('the table of feed tail at %i columns', async (columns) => {
  const view = createElement(FeedView, { items: ITEMS, note: '7 items. q quits.', onKey: () => undefined });
  const lines = stripVTControlCharacters(renderToString(view, { columns }))
    .split('\n')
    .map((line) => line.trimEnd());
  expect(lines.filter((line) => [...line].length > columns)).toEqual([]);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(join(import.meta.dirname, 'golden', `feed-${columns}.txt`));
});
