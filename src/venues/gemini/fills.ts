/**
 * Fills of our orders at Gemini, from the trades of the account. No document says whether the price of a trade is that of the outcome
 * that was traded, or of YES: it is the one whose average is the order's own. Where neither is, or the trades do not add up to what
 * the order says it filled, nothing is booked yet. Pure.
 */
import { ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import { decimalMicros } from '../decimal.ts';
import type { VenueFill } from '../order.ts';
import type { Note } from '../unknowns.ts';
import type { GeminiOrder, GeminiTrade } from './order-schemas.ts';

/** An average may be rounded to whole cents. */
const ROUNDED_MICROS = 5_000n;

/** @returns undefined while the trades do not tell what the order filled and at which prices */
export function fillsOf(
  order: GeminiOrder,
  trades: readonly GeminiTrade[],
  ourId: string,
  note: Note,
): VenueFill[] | undefined {
  const reversed = trades.find(({ break: said }) => said != null && said !== '');
  if (reversed !== undefined) {
    note('reversed trade', `${reversed.tid} ${reversed.break}`);
    return undefined;
  }
  if (trades.reduce((sum, { amount }) => sum + amount, 0n) !== order.filledQuantity) {
    return undefined;
  }
  const direct = trades.map(({ price }) => price);
  const mirrored = direct.map((price) => ONE_DOLLAR_MICROS - price);
  const fits = [direct, mirrored].filter((prices) => hasAverage(order, trades, prices));
  const same = direct.every((price, index) => price === mirrored[index]);
  const prices = fits[0];
  if (trades.length > 0 && (prices === undefined || (fits.length > 1 && !same))) {
    note('price of a fill', prices === undefined ? 'not that of its order' : 'of YES or NO');
    return undefined;
  }
  return trades.map((trade, index) => ({
    fillId: trade.tid,
    ourId,
    listingId: order.symbol,
    quantityMicros: trade.amount,
    priceMicros: prices?.[index] ?? trade.price,
    feeMicros: feeOf(trade, note),
    occurredAt: new Date(trade.timestampms),
  }));
}

function hasAverage(order: GeminiOrder, trades: readonly GeminiTrade[], prices: readonly bigint[]): boolean {
  const paid = trades.reduce((sum, { amount }, index) => sum + amount * (prices[index] ?? 0n), 0n);
  const said = (order.avgExecutionPrice ?? -ROUNDED_MICROS - 1n) * order.filledQuantity;
  const off = paid > said ? paid - said : said - paid;
  return off <= ROUNDED_MICROS * order.filledQuantity;
}

/** Null until it is known in dollars, to a millionth. */
function feeOf({ fee_amount: amount, fee_currency: currency }: GeminiTrade, note: Note): bigint | null {
  if (amount == null) {
    return null;
  }
  const fee = currency == null || currency.toUpperCase() === 'USD' ? decimalMicros(amount) : undefined;
  if (fee === undefined) {
    note('fee of a fill', `${amount} ${currency ?? ''}`);
  }
  return fee ?? null;
}
