/** Keeps commands of one customer out of one batch: a second one waits for the first. Customers do not wait for each other. */
export function oneAtATime<I, O>(
  enqueue: (item: I) => Promise<O>,
  customerOf: (item: I) => string,
): (item: I) => Promise<O> {
  const lastOf = new Map<string, Promise<void>>();
  return (item) => {
    const customer = customerOf(item);
    const before = lastOf.get(customer);
    const answer = before === undefined ? enqueue(item) : before.then(() => enqueue(item));
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
