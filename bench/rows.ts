/** The table of the bench: every row with its target. Rows over a million rows have fewer rounds than five. */
import { cliStart } from './cli-start.ts';
import { coldStart } from './cold-start.ts';
import { eventsList } from './events-list.ts';
import { ledgerPost } from './ledger-post.ts';
import type { Row } from './measure.ts';
import { memory } from './memory.ts';
import { ordersHot, ordersP99, ordersSpread, quotes } from './orders.ts';
import { scaleOut } from './scale-out.ts';
import { stream } from './stream.ts';

export const ROWS: readonly Row[] = [
  { key: 'orders-spread', target: 1, better: 'higher', rounds: 5, measure: ordersSpread },
  { key: 'orders-hot', target: 1, better: 'higher', rounds: 5, measure: ordersHot },
  { key: 'orders-p99', target: 5, better: 'lower', rounds: 5, measure: ordersP99 },
  { key: 'quotes', target: 0.6, better: 'higher', rounds: 5, measure: quotes },
  { key: 'events-list', target: 0.6, better: 'higher', rounds: 5, measure: eventsList },
  { key: 'stream', target: 0.7, better: 'higher', rounds: 5, measure: stream },
  { key: 'memory', target: 1, better: 'lower', rounds: 1, measure: memory },
  { key: 'cold-start', target: 6, better: 'lower', rounds: 5, measure: coldStart },
  { key: 'cli-start', target: 5, better: 'lower', rounds: 5, measure: cliStart },
  { key: 'ledger-post', target: 0.4, better: 'higher', rounds: 5, measure: ledgerPost },
  { key: 'scale-out', target: 1.2, better: 'higher', rounds: 5, measure: scaleOut },
];
