/** The table of the bench: every row with its target. Rows over a million rows have fewer rounds than five. */
import { cliStart } from './cli-start.ts';
import { coldStart } from './cold-start.ts';
import { eventsList } from './events-list.ts';
import { exportLedger } from './export.ts';
import { feedRead } from './feed-read.ts';
import { ledgerPost } from './ledger-post.ts';
import { liveHot } from './live-hot.ts';
import type { Row } from './measure.ts';
import { memory } from './memory.ts';
import { noisyNeighbour } from './noisy-neighbour.ts';
import { ordersHot, ordersP99, ordersSpread, quotes } from './orders.ts';
import { report } from './report.ts';
import { scaleOut } from './scale-out.ts';
import { settle } from './settle.ts';
import { stream } from './stream.ts';
import { webhooks, webhooksIsolation } from './webhooks.ts';

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
  { key: 'settle', target: 3, better: 'higher', rounds: 2, measure: settle },
  { key: 'live-hot', target: 0.5, better: 'higher', rounds: 3, measure: liveHot },
  { key: 'feed-read', target: 0.12, better: 'higher', rounds: 1, world: 'books', measure: feedRead },
  { key: 'export', target: 0.3, better: 'higher', rounds: 1, world: 'books', measure: exportLedger },
  { key: 'report', target: 12, better: 'lower', rounds: 1, world: 'books', measure: report },
  { key: 'webhooks', target: 0.25, better: 'higher', rounds: 3, measure: webhooks },
  { key: 'webhooks-isolation', target: 2, better: 'lower', rounds: 1, measure: webhooksIsolation },
  { key: 'noisy-neighbour', target: 2, better: 'lower', rounds: 3, measure: noisyNeighbour },
  { key: 'scale-out', target: 1.2, better: 'higher', rounds: 5, measure: scaleOut },
];
