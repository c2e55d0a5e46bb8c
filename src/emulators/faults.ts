/** Faults that a tester arms at an emulated exchange. Each applies to the next matching requests and is then spent. */

export type Fault =
  /** The request is worked on, and its answer never comes. */
  | { readonly kind: 'timeout_after_apply' }
  /** The request is dropped before anything was done. */
  | { readonly kind: 'timeout_before_apply' }
  | { readonly kind: 'status'; readonly status: number; readonly body?: unknown; readonly retryAfter?: string }
  /** An answer that is no JSON. */
  | { readonly kind: 'html' }
  /** The order matches this part of its count, micro-contracts, and no more. */
  | { readonly kind: 'partial'; readonly count: bigint }
  /** The answer comes this much later. */
  | { readonly kind: 'late'; readonly ms: number };

export interface ArmedFault {
  readonly fault: Fault;
  /** Requests whose `METHOD path` begins with this. */
  readonly on: string;
  left: number;
}

export class Faults {
  readonly #armed: ArmedFault[] = [];

  arm(fault: Fault, on: string, times = 1): void {
    this.#armed.push({ fault, on, left: times });
  }

  clear(): void {
    this.#armed.length = 0;
  }

  /** The fault that this request meets, if any; it is used up by it. */
  take(request: string): Fault | undefined {
    const index = this.#armed.findIndex(({ on, left }) => left > 0 && request.startsWith(on));
    const found = this.#armed[index];
    if (found === undefined) {
      return undefined;
    }
    found.left -= 1;
    if (found.left === 0) {
      this.#armed.splice(index, 1);
    }
    return found.fault;
  }
}
