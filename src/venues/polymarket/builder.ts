/**
 * The builder code of the service: every order names it, and the builder's fee on the traded dollars is charged in addition to the
 * exchange's own fee. The rate is set at the exchange, which announces changes days ahead. https://docs.polymarket.com, "Builder fees"
 */
import type { Hex } from 'viem';
import { z } from 'zod';
import type { FeeSchedule } from '../listing.ts';
import { expectShape, misfit } from '../shapes.ts';

const GOOD_MS = 600_000;
/** The highest rate that a builder may set for takers. */
const HIGHEST_BUILDER_BPS = 100;
/** The exchange states fees with five decimal places. */
const FEE_STEP_MICROS = 10n;
const SCALE = 1_000_000n * 10_000n;

const rate = z.coerce.number().int().min(0).max(10_000);
const builderFees = z.looseObject({ builder_taker_fee_rate_bps: rate });

export interface Builder {
  readonly code: Hex;
  /** The rate for takers, in basis points of their dollars. @throws VenueUnknown */
  takerBps(): Promise<number>;
  /** The fee of a listing with the builder's rate added; the highest rate until the rate could be read once. */
  charged(fee: FeeSchedule): FeeSchedule;
}

/** @param ask reads a path of the order book's host that needs no signature, and answers with status 200 or 404 */
export function openBuilder(
  venue: string,
  code: Hex,
  ask: (path: string) => Promise<{ readonly status: number; readonly body: unknown }>,
): Builder {
  let known: { readonly bps: number; readonly until: number } | undefined;
  return {
    code,
    async takerBps() {
      if (known === undefined || known.until < performance.now()) {
        const { status, body } = await ask(`/fees/builder-fees/${code}`);
        if (status !== 200) {
          throw misfit(venue, 'builder fees', `status ${status}`, body);
        }
        const read = expectShape(venue, 'builder fees', builderFees, body);
        known = { bps: read.builder_taker_fee_rate_bps, until: performance.now() + GOOD_MS };
      }
      return known.bps;
    },
    charged: (fee) => ({
      ...fee,
      brokerBps: known?.bps ?? HIGHEST_BUILDER_BPS,
      known: fee.known && known !== undefined,
    }),
  };
}

/** The builder's fee on a fill, rounded down as the exchange's own fee is. No document states how it is rounded. */
export function builderFeeMicros(bps: number, priceMicros: bigint, sharesMicros: bigint): bigint {
  const exact = (priceMicros * sharesMicros * BigInt(bps)) / SCALE;
  return exact - (exact % FEE_STEP_MICROS);
}
