/** Single values as text for a terminal: names and values of facts, times, prices, figures and bars. */
import { withThousands } from '../../core/plain-words.ts';
import { withoutControls } from './printable.ts';

type FactValue =
  | string
  | number
  | bigint
  | boolean
  | Date
  | null
  | undefined
  | readonly FactValue[]
  | { readonly [name: string]: FactValue };

/** Values by name, in the order in which they are printed. */
export type Facts = { readonly [name: string]: FactValue };

/** @returns the value on one line; a hyphen if it is empty or unknown */
export function factText(value: FactValue): string {
  if (value instanceof Date) {
    return value.toISOString();
  }
  if (value === null || value === undefined || value === '') {
    return '-';
  }
  if (typeof value === 'boolean') {
    return value ? 'yes' : 'no';
  }
  if (typeof value === 'number' || typeof value === 'bigint' || (typeof value === 'string' && AMOUNT.test(value))) {
    return withThousands(value);
  }
  if (isList(value)) {
    return value.length === 0 ? '-' : value.map(factText).join(', ');
  }
  if (typeof value === 'object') {
    const set = Object.entries(value).filter(([, each]) => each !== null && each !== undefined);
    return set.length === 0 ? '-' : set.map(([name, each]) => `${headingOf(name)} ${factText(each)}`).join(', ');
  }
  return withoutControls(String(value));
}

/** Dollars with their cents, as the API writes them. */
const AMOUNT = /^-?\d+\.\d{2}$/;

function isList(value: FactValue): value is readonly FactValue[] {
  return Array.isArray(value);
}

/** Headings of fields that people call by another name. */
const HEADINGS: Readonly<Record<string, string>> = {
  executionRef: 'reference',
  clientOrderId: 'your id',
  externalUserId: 'user',
  realisedPnl: 'profit',
};

/** @returns the name of a field in words, for tables and lists of facts: `operatorMoney.actualDebit` is "actual debit", `closedAt` "closed" */
export function headingOf(name: string): string {
  const field = name.slice(name.lastIndexOf('.') + 1);
  const words = field.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return HEADINGS[field] ?? words.replace(/(?<=\w) (id|at)$/, '');
}

/** A reference price, which people read as a probability. @param probability null if there is no price */
export function percent(probability: number | null): string {
  return probability === null ? '-' : `${(probability * 100).toFixed(1)}%`;
}

/**
 * The status of a contract with its result: `open`, `resolved YES`, `resolved SPLIT 0.4`, `voided`.
 * @param yesWorth what a contract of YES is worth after a split, 0 to 1
 */
export function statusText(status: string, resolution: string | null | undefined, yesWorth: number | null): string {
  return status !== 'resolved' ? status : `resolved ${resolution}${resolution === 'SPLIT' ? ` ${yesWorth}` : ''}`;
}

/** An executable price. @param value cents; null if there is no price */
export function cents(value: number | null): string {
  return value === null ? '-' : `${Number(value.toFixed(2))}¢`;
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const FULL = '█';
const STEPS = 8n;

/**
 * @param amount cents; the length of the bar is its size without the sign
 * @param highest cents; the largest size of all bars, which fills the width
 * @param width characters
 * @returns at least the thinnest bar for an amount other than 0
 */
export function bar(amount: bigint, highest: bigint, width: number): string {
  const size = amount < 0n ? -amount : amount;
  if (size === 0n || highest <= 0n) {
    return '';
  }
  const steps = (size * BigInt(width) * STEPS) / highest;
  const shown = Number(steps === 0n ? 1n : steps);
  return `${FULL.repeat(Math.floor(shown / Number(STEPS)))}${EIGHTHS[shown % Number(STEPS)] ?? ''}`;
}

/**
 * A bar beside a line at zero: a loss is on its left.
 * @param half characters of each side
 */
export function barAroundZero(amount: bigint, highest: bigint, half: number): string {
  const size = bar(amount, highest, half);
  return amount < 0n ? `${FULL.repeat(size.length).padStart(half)}│` : `${' '.repeat(half)}│${size}`;
}
