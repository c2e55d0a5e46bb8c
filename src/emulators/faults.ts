/** Faults that a tester arms at an emulated exchange. Each applies to the next matching requests and is then used up. */
import { z } from 'zod';

export type Fault =
  /** The request is carried out, and its response is lost. */
  | { readonly kind: 'timeout_after_apply' }
  /** The request is dropped before anything is done. */
  | { readonly kind: 'timeout_before_apply' }
  | { readonly kind: 'status'; readonly status: number; readonly body?: unknown; readonly retryAfter?: string }
  /** The request is carried out, and another response is sent, as by a proxy in between. */
  | { readonly kind: 'answer'; readonly status: number; readonly body: unknown }
  /** The response is a page instead of JSON. */
  | { readonly kind: 'html' }
  /** The order matches at most this count, in micro-contracts. */
  | { readonly kind: 'partial'; readonly count: bigint }
  /** The response is sent this much later. */
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

/** Lets a share of such requests, 0 to 1, meet faults until all faults are cleared. The seed decides which ones. */
export const randomFaultsRequest = z.strictObject({
  do: z.literal('random_faults'),
  share: z.number().min(0).max(1),
  on: z.string(),
});

export const clearFaultsRequest = z.strictObject({ do: z.literal('clear_faults') });

/** From now on, requests whose `METHOD path` begins with `on` are answered after this time, and the stream tells of them later still. */
export const paceRequest = z.strictObject({
  do: z.literal('pace'),
  on: z.string().min(1),
  answerMs: z.int().min(0),
  /** After the response. */
  streamMs: z.int().min(0),
});
export type Pace = z.output<typeof paceRequest>;

type FaultRequest =
  | { readonly do: 'fault'; readonly on: string; readonly times: number; readonly fault: Fault }
  | z.output<typeof randomFaultsRequest>
  | z.output<typeof clearFaultsRequest>
  | Pace;

/** Faults that occur at random: those of a network and of a busy exchange. */
const AT_RANDOM: readonly Fault[] = [
  { kind: 'timeout_after_apply' },
  { kind: 'timeout_before_apply' },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 429, retryAfter: '1' },
  { kind: 'html' },
  { kind: 'late', ms: 1_500 },
];

interface RandomFaults {
  /** Share of the requests, 0 to 1. */
  readonly share: number;
  readonly on: string;
  /** 0 to below 1. */
  readonly chance: () => number;
}

interface ArmedFault {
  readonly fault: Fault;
  /** Applies to requests whose `METHOD path` begins with this. */
  readonly on: string;
  left: number;
}

export class Faults {
  readonly #armed: ArmedFault[] = [];
  #random: RandomFaults | undefined;
  #pace: Pace | undefined;

  /** Carries out a tester's request about faults. @returns false, and does nothing, for any other request */
  obey(request: { readonly do: string }, chance: () => number): boolean {
    const asked = request as FaultRequest;
    switch (asked.do) {
      case 'fault':
        this.arm(asked.fault, asked.on, asked.times);
        return true;
      case 'random_faults':
        this.#random = { share: asked.share, on: asked.on, chance };
        return true;
      case 'clear_faults':
        this.clear();
        return true;
      case 'pace':
        this.#pace = asked;
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

  /** The fault that this request meets, if any. An armed fault is used up by it. */
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

  paceOf(request: string): Pace | undefined {
    return this.#pace !== undefined && request.startsWith(this.#pace.on) ? this.#pace : undefined;
  }

  #drawn(request: string): Fault | undefined {
    const random = this.#random;
    return random !== undefined && request.startsWith(random.on) && random.chance() < random.share
      ? AT_RANDOM[Math.floor(random.chance() * AT_RANDOM.length)]
      : undefined;
  }
}
