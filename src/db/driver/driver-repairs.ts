/**
 * What `src/db/driver/driver.ts` changes in the source of `postgres` 3.4.9 when it loads it, each with the fault that
 * it repairs. `docs/driver.md` describes the faults for upstream; test/db/killed-backends.test.ts and
 * test/db/driver-results.test.ts show them. Delete a repair when a release passes these tests without it.
 */

export interface Repair {
  /** Exactly as in the driver's source, where it occurs once. */
  readonly text: string;
  readonly repaired: string;
}

/** For `cjs/src/connection.js`. */
export const CONNECTION_REPAIRS: readonly Repair[] = [
  // A cancelled timer and unsent bytes remain: the next connection sends old bytes first, or never sends its greeting.
  {
    text: `    clearImmediate(nextWriteTimer)
    socket.removeListener('data', data)
    socket.removeListener('connect', connected)
    idleTimer.cancel()`,
    repaired: `    clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = null
    socket.removeListener('data', data)
    socket.removeListener('connect', connected)
    idleTimer.cancel()`,
  },
  // The failed query remains with its error, its partial result and its row count: the first query of the next
  // connection is rejected in its place, or its result begins with holes. Queries added between error and close never
  // end. A server that closes a connection before its greeting is retried for ever and without a pause; repaired, each
  // host is tried once.
  {
    text: `    if (initial)
      return reconnect()

    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))`,
    repaired: `    ;(initial || query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))
    query = results = errorResponse = final = null
    result = new Result()
    rows = 0

    if (initial)
      return reconnect()
`,
  },
  // A statement that fails after its first rows (a timeout, a division by zero) sends no CommandComplete, where the row
  // count is otherwise reset: the result of the next query begins with holes.
  {
    text: `    query = results = errorResponse = null
    result = new Result()
    connectTimer.cancel()`,
    repaired: `    query = results = errorResponse = null
    result = new Result()
    rows = 0
    connectTimer.cancel()`,
  },
  // A query that cannot be built (an undefined parameter, an invalid date) while another one is running rejects the
  // running one and remains in the queue unsent: it takes the answer of the query after it.
  {
    text: `      sent.length === 0 && write(Sync)
      errored(error)
      return true`,
    repaired: `      if (query !== q) {
        sent.remove(q)
        queryError(q, error)
        return true
      }
      write(Sync)
      errored(error)
      return true`,
  },
  // A statement that is prepared again because its plan was invalidated serializes its parameters a second time.
  {
    text: `      parameters[i] = x = type in options.serializers`,
    repaired: `      x = type in options.serializers`,
  },
  // With several hosts an error is swallowed while the connection is new, including its first query, and no host is the
  // last.
  {
    text: `    if (connection.queue === queues.connecting && options.host[retries + 1])
      return`,
    repaired: `    if (initial && tried < host.length)
      return`,
  },
  {
    text: `    connect(query) {
      initial = query
      reconnect()`,
    repaired: `    connect(query) {
      initial = query
      tried = 0
      hostIndex = options.shared.hostIndex || 0
      reconnect()`,
  },
  {
    text: `    socket.host = host[hostIndex]`,
    repaired: `    tried++
    triedHost = hostIndex
    socket.host = host[hostIndex]`,
  },
  {
    text: `    errored(Errors.connection('CONNECT_TIMEOUT', options, socket))`,
    repaired: `    error(Errors.connection('CONNECT_TIMEOUT', options, socket))`,
  },
  {
    text: `    } else {
      errored(Errors.postgres(parseError(x)))
    }`,
    repaired: `    } else {
      error(Errors.postgres(parseError(x)))
    }`,
  },
  {
    text: `          return terminate()
      }

      if (needsTypes) {`,
    repaired: `          return (error(Errors.connection('NO_SUITABLE_HOST', options, socket)), socket.destroy())
      }
      options.shared.hostIndex = triedHost

      if (needsTypes) {`,
  },
  // The query for the state of a server rejects without a catch, which ends the process.
  {
    text: `      backendParameters.in_hot_standby = b.pg_is_in_recovery ? 'on' : 'off'
    }
    query.execute()`,
    repaired: `      backendParameters.in_hot_standby = b.pg_is_in_recovery ? 'on' : 'off'
    }
    query.catch(noop)`,
  },
  // A hot standby is taken for a writable server: its transactions are read-only whatever their default is.
  {
    text: `      (x === 'read-write' && xs.default_transaction_read_only === 'on') ||
      (x === 'read-only' && xs.default_transaction_read_only === 'off') ||`,
    repaired: `      (x === 'read-write' && (xs.default_transaction_read_only === 'on' || xs.in_hot_standby === 'on')) ||
      (x === 'read-only' && xs.default_transaction_read_only === 'off' && xs.in_hot_standby === 'off') ||`,
  },
];
