/**
 * Formats numbers in the customer's language (contract chapter 3): a reference as a probability, an executable as a price, null as
 * no price. Booked amounts are exact decimal strings and are never passed through a float.
 */
import { computed, signal } from '@preact/signals';
import { type OddsFormat, priceText } from './odds.ts';
import { session } from './session.ts';
import { presentation } from './theme.ts';

/** BCP-47 tag of language and region. */
const tag = computed(() => {
  const { locale, region } = presentation.value;
  return region === 'global' || region === 'eu' ? locale : `${locale}-${region.toUpperCase()}`;
});

/** The format of prices that the customer chose. */
export const odds = signal<OddsFormat>('cents');

/** The display currency that the customer selected; presentation only. */
export const currency = signal('USD');

export const rates = computed(() =>
  session.value.status === 'ready'
    ? session.value.facts.displayRates
    : [{ currency: 'USD', rate: 1, setAt: null as string | null }],
);

export const rate = computed(() => rates.value.find((entry) => entry.currency === currency.value) ?? rates.value[0]);

const CRYPTO_DIGITS: Readonly<Record<string, number>> = { BTC: 8, ETH: 6, SOL: 4, ARB: 2, USDT: 2, USDC: 2, DAI: 2 };

/** 0.574 -> 57%; values close to 0 or 1 read <1% and >99%. */
export function probability(value: number | null | undefined): string {
  if (value === null || value === undefined) {
    return '–';
  }
  const percent = new Intl.NumberFormat(tag.value, { style: 'percent', maximumFractionDigits: 0 });
  if (value > 0 && value < 0.01) {
    return `<${percent.format(0.01)}`;
  }
  if (value < 1 && value > 0.99) {
    return `>${percent.format(0.99)}`;
  }
  return percent.format(value);
}

/** A price in the format that the customer chose; null if there is no price. */
export function price(cents: number, format?: OddsFormat): string;
export function price(cents: number | null | undefined): string | null;
export function price(cents: number | null | undefined, format: OddsFormat = odds.value): string | null {
  return cents === null || cents === undefined ? null : priceText(cents, format, tag.value);
}

/** The price of a coin in dollars, with the digits that it is quoted in: $104,250.10, $2.610123. */
export function coinPrice(value: number): string {
  const digits = value < 10 ? 6 : 2;
  return new Intl.NumberFormat(tag.value, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  }).format(value);
}

/** How the region writes dollars: `$` before an amount, or `US$` behind it. */
export function dollarSign(): { readonly text: string; readonly isBehind: boolean } {
  const parts = new Intl.NumberFormat(tag.value, { style: 'currency', currency: 'USD' }).formatToParts(1);
  const at = parts.findIndex(({ type }) => type === 'currency');
  return { text: parts[at]?.value ?? '$', isBehind: at > 0 };
}

/** Exact US dollars, named as such in regions with another `$`. Takes the decimal text of a booked amount, or a number that is for display only. */
export function usd(amount: string | number): string {
  return new Intl.NumberFormat(tag.value, {
    style: 'currency',
    currency: 'USD',
  }).format(amount as number);
}

/** The same with its sign: +$0.42, -$0.88. */
export function signedUsd(amount: string | number): string {
  return new Intl.NumberFormat(tag.value, {
    style: 'currency',
    currency: 'USD',
    signDisplay: 'exceptZero',
  }).format(amount as number);
}

/** 271 -> +271%. @param value whole percent. */
export function signedPercent(value: number): string {
  return new Intl.NumberFormat(tag.value, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  }).format(value / 100);
}

/** The amount in the selected currency, or null if that is the dollar. */
export function approximately(amount: string | number): string | null {
  const shown = rate.value;
  if (shown === undefined || shown.currency === 'USD') {
    return null;
  }
  const digits = CRYPTO_DIGITS[shown.currency];
  const value = Number(amount) * shown.rate;
  const text =
    digits === undefined
      ? new Intl.NumberFormat(tag.value, { style: 'currency', currency: shown.currency }).format(value)
      : `${new Intl.NumberFormat(tag.value, { maximumFractionDigits: digits }).format(value)} ${shown.currency}`;
  return `≈ ${text}`;
}

export function count(value: number): string {
  return new Intl.NumberFormat(tag.value, { notation: 'compact', maximumFractionDigits: 1 }).format(value);
}

/** A number of contracts with two digits after the point; rounded down, so that it is never more than is held. */
export function quantity(value: number): string {
  return new Intl.NumberFormat(tag.value, { maximumFractionDigits: 2, roundingMode: 'floor' }).format(value);
}

/**
 * The expected level of a ladder in the customer's language, as precise as its thresholds: `$104,300`, `2.8 %`, `2028`.
 * @param label the level as the service writes it, in English: it has the unit, and no separator if the number is a year
 */
export function level(value: number, label: string, thresholds: readonly number[]): string {
  const parts = /^(?<before>[^\d-]*)(?<figure>-?[\d,.]*\d)(?<after>.*)$/.exec(label)?.groups;
  const digits = Math.max(0, ...thresholds.map((one) => String(one).split('.')[1]?.length ?? 0));
  const useGrouping = Math.abs(value) < 1_000 || parts?.['figure']?.includes(',') === true;
  const figure = new Intl.NumberFormat(tag.value, { maximumFractionDigits: digits, useGrouping }).format(value);
  if (parts?.['before'] === '$' && parts['after'] === '') {
    return new Intl.NumberFormat(tag.value, {
      style: 'currency',
      currency: 'USD',
      minimumFractionDigits: 0,
      maximumFractionDigits: digits,
    }).format(value);
  }
  return `${parts?.['before'] ?? ''}${figure}${parts?.['after'] ?? ''}`;
}

export function day(moment: string | number): string {
  return new Intl.DateTimeFormat(tag.value, { dateStyle: 'medium' }).format(new Date(moment));
}

export function dayAndTime(moment: string | number): string {
  return new Intl.DateTimeFormat(tag.value, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(moment));
}

export function clockTime(moment: string | number): string {
  return new Intl.DateTimeFormat(tag.value, { timeStyle: 'short' }).format(new Date(moment));
}

export function plainNumber(value: number): string {
  return new Intl.NumberFormat(tag.value, { maximumFractionDigits: 4 }).format(value);
}
