/** The periods of a chart. The list in `wire` would pull zod into the bundle. */
import type { PriceHistory } from '../../wire/price-history.ts';

export type HistoryRange = PriceHistory['data']['range'];

export const HISTORY_RANGES: readonly HistoryRange[] = ['1d', '1w', '1m', 'all'];
