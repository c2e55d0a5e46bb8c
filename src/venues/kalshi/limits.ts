/** How many requests Kalshi allows our account: token buckets for reads, and for writes of each part; larger in higher tiers. */
import { z } from 'zod';
import type { RequestBucket } from '../../core/request-budget.ts';
import { expectShape } from '../response-shape.ts';
import type { KalshiRest } from './rest.ts';

/** A list costs 10 read tokens: a look-up reads the order and its fills twice, a send the fills three times. */
const READ_COSTS = { look_up: 40, cancel: 20, send: 30 };
export const DEFAULT_COST = 10;
export const CANCEL_COST = 2;
const WRITE_COSTS = { cancel: CANCEL_COST, send: DEFAULT_COST };
/** The other read tokens are left to catalogue, books and comparison. */
const READ_SHARE = 0.75;

/** 200 read tokens a second, held for two seconds, and 100 write tokens. */
export const LOWEST_TIER: readonly RequestBucket[] = bucketsOf(
  { refill_rate: 200, bucket_capacity: 400 },
  { refill_rate: 100, bucket_capacity: 100 },
);

const bucket = z.looseObject({ refill_rate: z.int().min(1), bucket_capacity: z.int().min(1) });
type Bucket = z.output<typeof bucket>;
const accountLimits = z.looseObject({ usage_tier: z.string(), read: bucket, write: bucket });

/** @throws VenueUnknown if the exchange does not answer, or the answer does not have the documented shape */
export async function readKalshiLimits(venue: string, rest: KalshiRest): Promise<readonly RequestBucket[]> {
  const { read, write } = await readTier(venue, rest);
  return bucketsOf(read, write);
}

/** One line of what `doctor` says. */
export async function describeTier(venue: string, rest: KalshiRest): Promise<string> {
  const { usage_tier: tier, read, write } = await readTier(venue, rest);
  return `tier ${tier}: ${read.refill_rate} read and ${write.refill_rate} write tokens a second on each part`;
}

async function readTier(venue: string, rest: KalshiRest) {
  const { body } = await rest.get('/account/limits');
  return expectShape(venue, 'limits', accountLimits, body);
}

function bucketsOf(read: Bucket, write: Bucket): readonly RequestBucket[] {
  return [
    {
      perSecond: read.refill_rate * READ_SHARE,
      burst: Math.max(read.bucket_capacity, read.refill_rate) * READ_SHARE,
      costs: READ_COSTS,
    },
    {
      perSecond: write.refill_rate,
      burst: Math.max(write.bucket_capacity, write.refill_rate),
      costs: WRITE_COSTS,
      eachPart: true,
    },
  ];
}
