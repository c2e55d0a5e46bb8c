/** The only place that builds a PostgreSQL client of the service. Single statements only: `sql.begin` and `sql.reserve` stay out of src. */
import type { Sql as DriverSql } from 'postgres';
import { arrayTypes, arrayTypesByElement } from './array-types.ts';
import { postgres } from './driver.ts';

/** 64-bit integers are BigInt on both sides, alone and inside arrays. */
export type Sql = DriverSql<{ bigint: bigint }>;

export interface ConnectOptions {
  /** Connections at most. 8 to 16 are the optimum on two cores. */
  readonly max: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
}

const CONNECT_TIMEOUT_S = 10;
/** No pipelining: no statement waits behind one that hangs, or is lost with it. The option is missing in the driver's types. */
const ONE_AT_A_TIME: object = { max_pipeline: 0 };

/**
 * A pool on one database; it connects on first use, and again after the server went away.
 * @param url postgres://user:password@host:port/database
 */
export function connect(url: string, options: ConnectOptions): Sql {
  const sql: Sql = postgres(url, {
    max: options.max,
    connect_timeout: CONNECT_TIMEOUT_S,
    prepare: true,
    ...ONE_AT_A_TIME,
    // A pool that is closed and opened again by age would lose LISTEN and session locks without a word.
    max_lifetime: null,
    // Retries are counted over the whole pool: ten connections that break together are ten, so this grows slowly.
    backoff: (retries: number) => Math.min(0.02 * (retries + 1), 1),
    onnotice: () => {},
    connection: { application_name: options.applicationName, TimeZone: 'UTC' },
    fetch_types: false,
    types: { ...arrayTypes(), bigint: postgres.BigInt } as { bigint: typeof postgres.BigInt },
  });
  const { shared } = sql.options as unknown as { shared: { typeArrayMap: Record<number, number> } };
  Object.assign(shared.typeArrayMap, arrayTypesByElement());
  return sql;
}
