/**
 * Files of the service's own tests that `npm run citus` leaves out, by the reason. What fails for any other reason fails there: nothing
 * is left out because the service does not do on Citus what it does on one server.
 */

/** Patterns below `test`. */
export const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  'runs processes, browsers or servers of its own, or draws many cases (npm run proof)': [
    'cli/{executable,first-minute,live-scenarios,live-views,npm-start,operator-kit,operator-scenarios,up}.test.ts',
    'client/verified-feed.test.ts',
    'jobs/venue-*.test.ts',
    'ledger/{feed-log,independent-verifier,record-changes}.test.ts',
    'reconciliation/bit-changes.test.ts',
    'server/{connections,full-disk,openapi-letter}.test.ts',
  ],
  'changes rows and reads them as a tenant in one transaction, which Citus does for one role alone': [
    'reconciliation/damaged-{ledger,orders}.test.ts',
  ],
  'moves a time that a row has by an interval, which Citus refuses in an update': [
    'operators/key-rights.test.ts',
    'reconciliation/waiting.test.ts',
  ],
  'holds a lock on rows of several operators, or kills the session that has it': [
    'settlement/{resolution-versions,settle}.test.ts',
    'webhooks/relay.test.ts',
  ],
  'asks the coordinator who waits for a lock, which a worker has': [
    'reconciliation/closed-windows.test.ts',
    'server/locked-counter.test.ts',
  ],
  'compares the names of partitions, or the list of checks, with those of one server': [
    'cli/golden.test.ts',
    'ledger/journal-months.test.ts',
  ],
  'draws damages of rows at random, and Citus refuses more of them than the test may have': [
    'audit/random-damages.test.ts',
  ],
  'makes one call for several operators, which Citus gets one for each': ['trading/order-checks.test.ts'],
  "calls a money statement from a query over operators' rows, which Citus sends to the shard": [
    'trading/{known-markets,spent-quotes}.test.ts',
  ],
  'exports orders with the names of their markets (docs/scale.md)': [
    'reconciliation/{accounting-formats,commands,end-forgotten,export,export-process,export-stdout,printed-statement}.test.ts',
    'reconciliation/{shared-export,workbook}.test.ts',
  ],
  'reads the plan or the text of a statement on one server': ['trading/{own-fills,row-types}.test.ts'],
  'restores a copy of the database on one server': ['feed/witness-of-api.test.ts'],
};
