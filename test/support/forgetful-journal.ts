/** A journal of the paper venue that stores nothing, for runs that are not continued. */
import type { Journal } from '../../src/paper/journal.ts';

export function forgetfulJournal(): Journal {
  const nothing = { snapshot: undefined, lines: [], orders: [], account: [] };
  return {
    ...nothing,
    append() {},
    appendOrder() {},
    appendAccount() {},
    saved: async () => {},
    compact() {},
    close() {},
  };
}
