/**
 * The table of the bench: every row, with a bound if a user or an operator of the service would notice that it became worse. Rows over a
 * million rows have fewer rounds than five.
 */

import { auditRate } from './audit-rate.ts';
import { cliStart } from './cli-start.ts';
import { coldStart } from './cold-start.ts';
import { eventsList, eventsListBytes } from './events-list.ts';
import { exportLedger } from './export.ts';
import { feedRead } from './feed-read.ts';
import { ledgerPost } from './ledger-post.ts';
import { liveHot } from './live-hot.ts';
import { liveAlone, liveChain, liveSteady } from './live-times.ts';
import type { Row } from './measure.ts';
import { memory } from './memory.ts';
import { noisyNeighbour } from './noisy-neighbour.ts';
import { orderAlone, ordersP50, ordersP99 } from './order-times.ts';
import { ordersHot, ordersSpread, quotes } from './orders.ts';
import { overload } from './overload.ts';
import { processes } from './processes.ts';
import { report } from './report.ts';
import { settle, settleWide } from './settle.ts';
import { stored } from './stored.ts';
import { stream } from './stream.ts';
import { webhooks, webhooksIsolation } from './webhooks.ts';

// why a row is measured without the auditor beside it
const READ = 'it has read everything before';
const ALONE = 'it is what is measured, alone';
const QUIET = 'nothing is recorded meanwhile';
const STARTED = 'npm start has one of its own';
const BARE = 'the rows are of no order that it knows';
const APART = 'it reads afterwards, and is counted apart';

export const ROWS: readonly Row[] = [
  { key: 'orders-spread', bound: 1.5, better: 'higher', rounds: 5, measure: ordersSpread },
  { key: 'orders-hot', bound: 1.8, better: 'higher', rounds: 5, measure: ordersHot },
  { key: 'orders-p50', better: 'lower', rounds: 5, world: 'paced', measure: ordersP50 },
  { key: 'orders-p99', better: 'lower', rounds: 5, world: 'paced', measure: ordersP99 },
  { key: 'order-alone', bound: 8, better: 'lower', rounds: 5, measure: orderAlone },
  { key: 'quotes', bound: 0.45, better: 'higher', rounds: 5, measure: quotes },
  { key: 'events-list', bound: 0.6, better: 'higher', rounds: 5, measure: eventsList },
  { key: 'events-list-bytes', bound: 0.15, better: 'lower', rounds: 1, measure: eventsListBytes },
  { key: 'stream', bound: 0.85, better: 'higher', rounds: 3, measure: stream },
  { key: 'memory', bound: 1, better: 'lower', rounds: 1, measure: memory },
  { key: 'cold-start', better: 'lower', rounds: 5, withoutAuditor: STARTED, measure: coldStart },
  { key: 'cli-start', bound: 2, better: 'lower', rounds: 5, measure: cliStart },
  { key: 'ledger-post', better: 'higher', rounds: 5, withoutAuditor: BARE, measure: ledgerPost },
  { key: 'settle', bound: 2.5, better: 'higher', rounds: 2, measure: settle },
  { key: 'settle-wide', bound: 4, better: 'higher', rounds: 2, measure: settleWide },
  { key: 'live-hot', bound: 0.2, better: 'higher', rounds: 3, measure: liveHot },
  { key: 'live-alone', bound: 1.25, better: 'lower', rounds: 2, measure: liveAlone },
  { key: 'live-steady', bound: 1.25, better: 'lower', rounds: 2, measure: liveSteady },
  { key: 'live-chain', bound: 1.25, better: 'lower', rounds: 2, measure: liveChain },
  {
    key: 'feed-read',
    bound: 0.13,
    better: 'higher',
    rounds: 1,
    world: 'books',
    withoutAuditor: QUIET,
    measure: feedRead,
  },
  {
    key: 'export',
    bound: 0.25,
    better: 'higher',
    rounds: 1,
    world: 'books',
    withoutAuditor: QUIET,
    measure: exportLedger,
  },
  { key: 'report', bound: 5, better: 'lower', rounds: 1, world: 'books', withoutAuditor: READ, measure: report },
  { key: 'audit-rate', bound: 2, better: 'higher', rounds: 5, withoutAuditor: ALONE, measure: auditRate },
  { key: 'webhooks', bound: 0.25, better: 'higher', rounds: 3, withoutAuditor: BARE, measure: webhooks },
  {
    key: 'webhooks-isolation',
    bound: 1.5,
    better: 'lower',
    rounds: 1,
    withoutAuditor: BARE,
    measure: webhooksIsolation,
  },
  { key: 'noisy-neighbour', bound: 2, better: 'lower', rounds: 3, measure: noisyNeighbour },
  { key: 'overload', bound: 0.75, better: 'higher', rounds: 3, measure: overload },
  { key: 'processes', bound: 1.9, better: 'lower', rounds: 3, measure: processes },
  { key: 'stored', better: 'lower', rounds: 1, withoutAuditor: APART, measure: stored },
];
