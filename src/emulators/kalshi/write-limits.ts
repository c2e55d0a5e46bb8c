/**
 * The write limits of the emulated exchange: each part has the full budget. A write that names its part is paid by that part alone, one
 * that names none by every part, and a batch by part 0.
 */
import { z } from 'zod';
import type { Asked } from './requests.ts';
import { type ExchangeState, PARTS } from './state.ts';

const COSTS = { POST: 10, PUT: 10, DELETE: 2 } as const;
const named = z.looseObject({ exchange_index: z.int().min(0) });

/** @returns whether the write may be taken; it is then counted */
export function payWrite(state: ExchangeState, { method, path, query, body }: Asked): boolean {
  const cost = method in COSTS && path.startsWith('/portfolio/') ? COSTS[method as keyof typeof COSTS] : 0;
  if (!state.tier.enforced || cost === 0) {
    return true;
  }
  const given = Number(query.get('exchange_index') ?? named.safeParse(body).data?.exchange_index ?? -1);
  const parts = path.endsWith('/batched') ? [0] : given >= 0 ? [given] : PARTS;
  const { writePerSecond: rate, writeBurst: most } = state.tier;
  const now = performance.now();
  const buckets = parts.map((part) => {
    const bucket = state.writes.get(part) ?? { left: most, at: now };
    bucket.left = Math.min(most, bucket.left + ((now - bucket.at) / 1_000) * rate);
    bucket.at = now;
    state.writes.set(part, bucket);
    return bucket;
  });
  if (buckets.some(({ left }) => left < cost)) {
    return false;
  }
  for (const bucket of buckets) {
    bucket.left -= cost;
  }
  return true;
}
