/** Faults that a tester arms at an emulated exchange. Each applies to the next matching requests and is then spent. */
import { z } from 'zod';

export type Fault =
  /** The request is worked on, and its answer never comes. */
  | { readonly kind: 'timeout_after_apply' }
  /** The request is dropped before anything was done. */
  | { readonly kind: 'timeout_before_apply' }
  | { readonly kind: 'status'; readonly status: number; readonly body?: unknown; readonly retryAfter?: string }
  /** The request is worked on, and something else is answered, as by a proxy in between. */
  | { readonly kind: 'answer'; readonly status: number; readonly body: unknown }
  /** An answer that is no JSON. */
  | { readonly kind: 'html' }
  /** The order matches this part of its count, micro-contracts, and no more. */
  | { readonly kind: 'partial'; readonly count: bigint }
  /** The answer comes this much later. */
  | { readonly kind: 'late'; readonly ms: number }
  /** The order is taken and matched this much later. */
  | { readonly kind: 'delayed'; readonly ms: number }
  /** The order is matched, and its trades fail afterwards. */
  | { readonly kind: 'trade_fails' };

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

/** What a tester says of faults. */
type FaultRequest =
  | { readonly do: 'fault'; readonly on: string; readonly times: number; readonly fault: Fault }
  | z.output<typeof randomFaultsRequest>
  | z.output<typeof clearFaultsRequest>;

/** What happens at random: whatever a network and a busy exchange do. */
const AT_RANDOM: readonly Fault[] = [
  { kind: 'timeout_after_apply' },
  { kind: 'timeout_before_apply' },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 429, retryAfter: '1' },
  { kind: 'html' },
  { kind: 'late', ms: 1_500 },
];

interface RandomFaults {
  /** Of the requests, 0 to 1. */
  readonly share: number;
  readonly on: string;
  /** 0 to below 1. */
  readonly chance: () => number;
}

export interface ArmedFault {
  readonly fault: Fault;
  /** Requests whose `METHOD path` begins with this. */
  readonly on: string;
  left: number;
}

export class Faults {
  readonly #armed: ArmedFault[] = [];
  #random: RandomFaults | undefined;

  /** @returns whether what the tester says was about faults */
  told(request: { readonly do: string }, chance: () => number): boolean {
    const said = request as FaultRequest;
    switch (said.do) {
      case 'fault':
        this.arm(said.fault, said.on, said.times);
        return true;
      case 'random_faults':
        this.#random = { share: said.share, on: said.on, chance };
        return true;
      case 'clear_faults':
        this.clear();
        return true;
      default:
        return false;
    }
  }

  arm(fault: Fault, on: string, times = 1): void {
    this.#armed.push({ fault, on, left: times });
  }

  clear(): void {
    this.#random = undefined;
    this.#armed.length = 0;
  }

  /** The fault that this request meets, if any; it is used up by it. */
  take(request: string): Fault | undefined {
    const index = this.#armed.findIndex(({ on, left }) => left > 0 && request.startsWith(on));
    const found = this.#armed[index];
    if (found === undefined) {
      return this.#drawn(request);
    }
    found.left -= 1;
    if (found.left === 0) {
      this.#armed.splice(index, 1);
    }
    return found.fault;
  }

  #drawn(request: string): Fault | undefined {
    const random = this.#random;
    return random !== undefined && request.startsWith(random.on) && random.chance() < random.share
      ? AT_RANDOM[Math.floor(random.chance() * AT_RANDOM.length)]
      : undefined;
  }
}
