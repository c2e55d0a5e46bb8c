/** Stands in for the pool of the database where the service opens one of its own, apart from that of its context. */
import type { Sql } from '../../src/db/client.ts';
import { thisProcess } from './process.ts';
import { simulatedSql } from './simulated-sql.ts';

export function connect(): Sql {
  return simulatedSql(thisProcess());
}
