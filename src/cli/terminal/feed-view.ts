/** The live table of `feed tail`: a row for each item, in its colour. Imported lazily, so that other commands do not load ink. */

import { Box, render, Text, type TextProps, useWindowSize } from 'ink';
import { createElement, type ReactElement } from 'react';
import type { FeedItem } from '../../client/shapes.ts';
import { withThousands } from '../../core/plain-words.ts';
import { useKeys } from './live.ts';
import { withoutControls } from './printable.ts';

interface FeedTable {
  show(items: readonly FeedItem[], note: string): void;
  close(): void;
}

/** @param onKey receives a letter, as it was typed, or the name of a key without one */
export function openFeedTable(onKey: (key: string) => void): FeedTable {
  const table = (items: readonly FeedItem[], note: string) => createElement(FeedView, { items, note, onKey });
  const view = render(table([], ''), { exitOnCtrlC: false });
  return {
    show: (items, note) => view.rerender(table(items, note)),
    close: () => view.unmount(),
  };
}

/** Letters of each column but the last, which takes the rest. A wide terminal shows long ids of customers whole. */
const WIDTHS = [
  { from: 160, letters: [8, 8, 19, 36, 13] },
  { from: 110, letters: [8, 8, 19, 24, 13] },
  { from: 0, letters: [6, 8, 19, 8, 10] },
] as const;
const HEADS = ['number', 'time', 'type', 'user', 'amount', 'what'];
/** Columns of numbers. */
const TO_THE_RIGHT = new Set(['number', 'amount']);
const GAP = 2;

const COLOURS: Partial<Record<FeedItem['type'], string>> = {
  'order.filled': 'green',
  'position.settled': 'cyan',
  'position.exited': 'yellow',
  'collateral.moved': 'magenta',
};

interface Shown {
  readonly items: readonly FeedItem[];
  readonly note: string;
  readonly onKey: (key: string) => void;
}

export function FeedView({ items, note, onKey }: Shown): ReactElement {
  useKeys(onKey);
  const { columns } = useWindowSize();
  const widths = WIDTHS.find(({ from }) => columns >= from)?.letters ?? [];
  return createElement(
    Box,
    { flexDirection: 'column' },
    row('head', widths, HEADS, { bold: true }),
    ...items.map((item) =>
      row(
        String(item.sequence),
        widths,
        [
          withThousands(item.sequence),
          item.occurredAt.slice(11, 19),
          item.type,
          item.externalUserId ?? '-',
          signed(item),
          describe(item),
        ],
        COLOURS[item.type] === undefined ? {} : { color: COLOURS[item.type] },
      ),
    ),
    createElement(Text, { key: 'note', dimColor: true }, note),
  );
}

function row(
  key: string,
  widths: readonly number[],
  values: readonly string[],
  style: Pick<TextProps, 'color' | 'bold' | 'dimColor'>,
): ReactElement {
  const cells = values.map(withoutControls);
  return createElement(
    Box,
    { key },
    ...cells.map((text, column) =>
      createElement(
        Box,
        {
          key: column,
          marginRight: column < widths.length ? GAP : 0,
          justifyContent: TO_THE_RIGHT.has(HEADS[column] ?? '') ? 'flex-end' : 'flex-start',
          ...(column < widths.length ? { width: widths[column], flexShrink: 0 } : {}),
        },
        createElement(Text, { wrap: 'truncate-end', ...style }, text),
      ),
    ),
  );
}

/** The amount with its sign: above zero if it goes to the customer or the collateral, below zero if it leaves them. An entry that moves no free money has no amount. */
function signed(item: FeedItem): string {
  switch (item.type) {
    case 'order.state_changed':
      return withSign('-', item.money?.actualDebit ?? '');
    case 'position.exited':
      return withSign('+', item.money.sellProceeds);
    case 'position.settled':
      return withSign(
        '+',
        item.money.settlementCredit === '0.00' ? item.money.voidCredit : item.money.settlementCredit,
      );
    case 'fee.assessed':
      return withSign('-', item.money.amount);
    case 'collateral.moved':
      return withSign(COLLATERAL_SIGNS[item.detail.kind], item.money.amount);
    case 'ledger.posted': {
      const own = item.money.lines.find(({ accountId }) => OWN_FUNDS.test(accountId));
      if (own === undefined) {
        return withThousands(item.money.amount);
      }
      return own.debit === '0.00' ? withSign('+', own.credit) : withSign('-', own.debit);
    }
    default:
      return '';
  }
}

/** Accounts of money that is free to spend. The money is owed, so a credit adds to it. */
const OWN_FUNDS = /^(wallet:|collateral:available$)/;
const COLLATERAL_SIGNS = { deposit: '+', release: '+', return: '+', withdrawal: '-', commit: '-', spend: '-' } as const;

/** A missing amount and zero have no sign. */
function withSign(sign: '+' | '-', amount: string): string {
  return amount === '' || amount === '0.00' ? amount : `${sign}${withThousands(amount)}`;
}

function describe(item: FeedItem): string {
  switch (item.type) {
    case 'order.state_changed':
      return `${item.detail.action} ${item.detail.side} ${item.detail.toState}${item.detail.fromState === null ? '' : `, was ${item.detail.fromState}`}`;
    case 'order.filled':
      return `${item.detail.quantity} ${item.detail.side} at ${item.detail.price}`;
    case 'fee.assessed':
      return `${item.detail.kind} fee`;
    case 'collateral.moved':
      return item.detail.kind;
    case 'ledger.posted':
      return item.detail.memo;
    case 'position.exited':
      return `${item.detail.quantity} sold at ${item.detail.exitPrice}, profit ${item.detail.realisedPnl}`;
    case 'position.settled':
      return `${item.detail.contracts} ${item.detail.side} ${item.detail.outcome}, profit ${item.detail.realisedPnl}`;
    case 'webhook.emitted':
      return item.detail.eventType;
  }
}
