/** The only place that builds a PostgreSQL client of the service. Single statements only: `sql.begin` and `sql.reserve` stay out of src. */
import postgres from 'postgres';

/** 64-bit integers are BigInt on both sides, alone and inside arrays. */
export type Sql = postgres.Sql<{ bigint: bigint }>;

export interface ConnectOptions {
  /** Connections at most. 8 to 16 are the optimum on two cores. */
  readonly max: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
}

const CONNECT_TIMEOUT_S = 10;

/**
 * A pool on one database; it connects on first use, and again after the server went away.
 * @param url postgres://user:password@host:port/database
 */
export function connect(url: string, options: ConnectOptions): Sql {
  return postgres(url, {
    max: options.max,
    connect_timeout: CONNECT_TIMEOUT_S,
    prepare: true,
    // A pool that is closed and opened again by age would lose LISTEN and session locks without a word.
    max_lifetime: null,
    backoff: (retries: number) => Math.min(0.05 * 2 ** retries, 2),
    onnotice: () => {},
    connection: { application_name: options.applicationName, TimeZone: 'UTC' },
    types: { bigint: postgres.BigInt },
  });
}
