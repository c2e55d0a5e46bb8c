/** The control requests by which a tester arms and clears faults. */
import { z } from 'zod';

/** The faults that every emulated exchange knows. @param count how the exchange writes a number of contracts */
export function commonFaults<Count extends z.ZodType<bigint>>(count: Count) {
  return [
    z.strictObject({ kind: z.literal('timeout_after_apply') }),
    z.strictObject({ kind: z.literal('timeout_before_apply') }),
    z.strictObject({
      kind: z.literal('status'),
      status: z.int().min(200).max(599),
      body: z.unknown().optional(),
      retryAfter: z.string().optional(),
    }),
    z.strictObject({ kind: z.literal('answer'), status: z.int().min(200).max(599), body: z.unknown() }),
    z.strictObject({ kind: z.literal('html') }),
    z.strictObject({ kind: z.literal('partial'), count }),
    z.strictObject({ kind: z.literal('late'), ms: z.int().min(1) }),
  ] as const;
}

/** Arms a fault for the next requests whose `METHOD path` begins with `on`. */
export function faultRequest<Fault extends z.ZodType>(fault: Fault) {
  return z.strictObject({
    do: z.literal('fault'),
    on: z.string().min(1),
    times: z.int().min(1).default(1),
    fault,
  });
}

/** Lets a share of such requests, 0 to 1, meet faults until all are cleared; which ones follows from the seed. */
export const randomFaultsRequest = z.strictObject({
  do: z.literal('random_faults'),
  share: z.number().min(0).max(1),
  on: z.string(),
});

export const clearFaultsRequest = z.strictObject({ do: z.literal('clear_faults') });
