/** The periods of a chart; the wire's own list brings a library along that the frame can do without. */
import type { PriceHistory } from '../../wire/price-history.ts';

export type HistoryRange = PriceHistory['data']['range'];

export const HISTORY_RANGES: readonly HistoryRange[] = ['1d', '1w', '1m', 'all'];
