/** The settings of the embedded server: sized for a development machine, with PostgreSQL's default durability. */
export interface ServerOptions {
  /** Only tests turn it off. */
  readonly durable: boolean;
  readonly maxConnections: number;
}

/** As `name=value`. */
export function serverSettings(options: ServerOptions): string[] {
  return [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    `max_connections=${options.maxConnections}`,
    'shared_buffers=256MB',
    'effective_cache_size=1GB',
    'wal_buffers=16MB',
    'max_wal_size=2GB',
    'min_wal_size=256MB',
    'wal_compression=on',
    'checkpoint_timeout=15min',
    'random_page_cost=1.1',
    'autovacuum_naptime=5s',
    // analysing the feed's wide rows would take a core away from orders; all reads here find their rows by key
    'default_statistics_target=25',
    'jit=off',
    'timezone=UTC',
    'log_timezone=UTC',
    'log_checkpoints=off',
    'log_min_messages=warning',
    'log_min_error_statement=panic',
    ...(options.durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ];
}
