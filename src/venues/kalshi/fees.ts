/** The taker fee of Kalshi as far as it is known before an order: 0.07 p (1 - p), before a series' own multiplier, which is not read. */
import type { FeeSchedule } from '../listing.ts';

export const HIGHEST_FEE: FeeSchedule = { model: 'of_variance', bps: 700, known: false };
