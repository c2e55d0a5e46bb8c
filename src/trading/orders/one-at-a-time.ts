/**
 * Keeps commands of one customer out of one batch: a second one waits for the first. Customers do not wait for each other. A
 * command that waited too long is refused with service_unavailable and was never sent.
 */
import { refuse } from '../../core/errors.ts';

const WAIT_MS = 5_000;

export function oneAtATime<I, O>(
  enqueue: (item: I) => Promise<O>,
  customerOf: (item: I) => string,
): (item: I) => Promise<O> {
  const lastOf = new Map<string, Promise<void>>();
  return (item) => {
    const since = performance.now();
    const customer = customerOf(item);
    const before = lastOf.get(customer);
    const answer =
      before === undefined
        ? enqueue(item)
        : before.then(() => (performance.now() - since > WAIT_MS ? refuseLate() : enqueue(item)));
    const settled = answer.then(
      () => undefined,
      () => undefined,
    );
    lastOf.set(customer, settled);
    return answer.finally(() => {
      if (lastOf.get(customer) === settled) {
        lastOf.delete(customer);
      }
    });
  };
}

function refuseLate(): never {
  throw refuse('service_unavailable');
}
