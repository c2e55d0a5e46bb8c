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
    'reconciliation/{bit-changes,export-process}.test.ts',
    'server/{connections,full-disk,openapi-letter}.test.ts',
  ],
  'changes rows and reads them as a tenant in one transaction, which Citus does for one role alone': [
    'reconciliation/damaged-{ledger,orders}.test.ts',
  ],
  'moves a time that a row has by an interval, which Citus refuses in an update': [
    'operators/key-rights.test.ts',
    'embed/revoked-keys.test.ts',
    'ledger/periods.test.ts',
    'reconciliation/waiting.test.ts',
    'server/money-metrics.test.ts',
  ],
  'holds a lock on rows of several operators, or kills the session that has it': [
    'settlement/{resolution-versions,settle}.test.ts',
    'webhooks/relay.test.ts',
  ],
  'asks the coordinator who waits for a lock, which a worker has': [
    'audit/anew.test.ts',
    'live/stopped-backend.test.ts',
    'reconciliation/{closed-windows,end-forgotten}.test.ts',
    'server/locked-counter.test.ts',
  ],
  'expects `degraded` while a table is locked, which is `unhealthy` on Citus (docs/scale.md)': [
    'server/health.test.ts',
  ],
  'ends sessions, or makes logins, with rights that the lab does not give to the owner': [
    'feed/waiting.test.ts',
    'markets/ingest.test.ts',
    'operators/people.test.ts',
  ],
  'compares the names of partitions, or the list of checks, with those of one server': [
    'cli/golden.test.ts',
    'ledger/journal-months.test.ts',
  ],
  'damages rows by statements that Citus refuses': ['audit/{digests,random-damages}.test.ts'],
  'makes one call for several operators, which Citus gets one for each': [
    'risk/limits-agree.test.ts',
    'trading/order-checks.test.ts',
  ],
  "calls a money statement from a query over operators' rows, which Citus sends to the shard": [
    'trading/{known-markets,spent-quotes}.test.ts',
  ],
  'reads the plan or the text of a statement on one server': [
    'trading/{own-fills,row-types}.test.ts',
    'webhooks/key-plans.test.ts',
  ],
  'bounds how long a delivery takes beside nine endpoints that hang, which is longer there beside another test': [
    'webhooks/isolation.test.ts',
  ],
  'restores a copy of the database on one server': ['feed/witness-of-api.test.ts'],
};
