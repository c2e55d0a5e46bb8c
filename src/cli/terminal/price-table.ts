/** The live table of `prices watch`. Imported lazily, so that other commands do not load ink. */
import { Box, render, Text, type TextProps } from 'ink';
import { createElement, type ReactElement } from 'react';
import type { Price } from '../../client/shapes.ts';
import { cents, percent } from './facts.ts';

export interface PriceRow {
  readonly contractId: string;
  readonly label: string;
  readonly price: Price | null;
  /** Change since the previous price: above zero, below zero, or 0 for none. */
  readonly move: number;
}

interface PriceTable {
  show(rows: readonly PriceRow[], note: string): void;
  close(): void;
}

/** Characters of each column; the first one takes the rest of the line. */
const WIDTHS: readonly number[] = [0, 6, 7, 7, 6, 8];
const LEAST_NAME = 20;
const GAPS = WIDTHS.length;
const HEADS = ['outcome', 'prob.', 'YES', 'NO', 'spread', 'updated'];

export function openPriceTable(): PriceTable {
  const view = render(table([], ''));
  return {
    show: (rows, note) => view.rerender(table(rows, note)),
    close: () => view.unmount(),
  };
}

function table(rows: readonly PriceRow[], note: string): ReactElement {
  return createElement(
    Box,
    { flexDirection: 'column' },
    createElement(Box, { key: 'head' }, ...HEADS.map((head, column) => cell(head, column, { bold: true }))),
    ...rows.map((row) => line(row)),
    createElement(Text, { key: 'note', dimColor: true }, note),
  );
}

function line({ contractId, label, price, move }: PriceRow): ReactElement {
  const closed = price === null || price.tradingClosed;
  const colour = closed ? {} : move > 0 ? { color: 'green' } : move < 0 ? { color: 'red' } : {};
  const texts = [
    label === '' ? contractId : label,
    percent(price?.probability ?? null),
    cents(price?.executableYesCents ?? null),
    cents(price?.executableNoCents ?? null),
    cents(price?.spreadCents ?? null),
    price === null
      ? 'unknown'
      : price.tradingClosed
        ? (price.resolution ?? 'closed')
        : price.priceUpdatedAt.slice(11, 19),
  ];
  return createElement(
    Box,
    { key: contractId },
    ...texts.map((text, column) => cell(text, column, column >= 1 ? colour : { dimColor: closed })),
  );
}

function nameWidth(): number {
  const others = WIDTHS.reduce((total, width) => total + width, GAPS);
  return Math.max(LEAST_NAME, (process.stdout.columns ?? 80) - others);
}

function cell(text: string, column: number, style: Pick<TextProps, 'color' | 'bold' | 'dimColor'>): ReactElement {
  return createElement(
    Box,
    { key: column, width: WIDTHS[column] || nameWidth(), marginRight: 1, flexShrink: 0 },
    createElement(Text, { wrap: 'truncate-end', ...style }, text),
  );
}
