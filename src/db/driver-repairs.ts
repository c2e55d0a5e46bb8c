/**
 * What `src/db/driver.ts` changes in the source of `postgres` 3.4.9 when it loads it, each with the fault that it removes.
 * `docs/driver.md` describes the faults for upstream; test/db/killed-backends.test.ts and test/db/driver-results.test.ts
 * show them. Delete a repair when a release passes these tests without it.
 */

export interface Repair {
  /** Exactly as the driver's source has it, once. */
  readonly text: string;
  readonly repaired: string;
}

/** Of `cjs/src/connection.js`. */
export const CONNECTION_REPAIRS: readonly Repair[] = [
  // A cancelled timer and unsent bytes stay behind: the next connection sends old bytes first, or never sends its greeting.
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
  // The failed query with its error, its half result and the number of its rows stay behind: the first query of the next
  // connection is refused in its place, or its result begins with holes. Queries handed in between error and close never end.
  {
    text: `    if (initial)
      return reconnect()

    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))`,
    repaired: `    if (initial)
      return reconnect()

    ;(query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))
    query = results = errorResponse = final = null
    result = new Result()
    rows = 0`,
  },
  // A statement that fails after its first rows (a timeout, a division by zero) sends no CommandComplete, where the number
  // of rows is otherwise reset: the result of the next query begins with holes.
  {
    text: `    query = results = errorResponse = null
    result = new Result()
    connectTimer.cancel()`,
    repaired: `    query = results = errorResponse = null
    result = new Result()
    rows = 0
    connectTimer.cancel()`,
  },
  // A query that cannot be built (an undefined parameter, an invalid date) while another one is running rejects the running
  // one and stays in the queue unsent: it takes the answer of the query after it.
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
  // A statement that is prepared again, because its plan was invalidated, serializes its parameters a second time.
  {
    text: `      parameters[i] = x = type in options.serializers`,
    repaired: `      x = type in options.serializers`,
  },
  // An answer that is not the one of the query that waits for it is a fault of the connection: nothing after it is believed.
  {
    text: `    const row = query.isRaw ? new Array(query.statement.columns.length) : {}`,
    repaired: `    if (x.readUInt16BE(5) !== query.statement.columns.length)
      return fault('a row of another width than its statement')

    const row = query.isRaw ? new Array(query.statement.columns.length) : {}`,
  },
  {
    text: `  function CommandComplete(x) {
    rows = 0
`,
    repaired: `  function fault(what) {
    error(Errors.generic('UNEXPECTED_RESULT', what))
    query = null
    socket.destroy()
  }

  function CommandComplete(x) {
    const received = rows
    rows = 0
`,
  },
  {
    text: `    final && (final(), final = null)

    if (result.command === 'BEGIN'`,
    repaired: `    final && (final(), final = null)

    const hasRows = received > 0 || (result.command === 'SELECT' && query.statement.columns && query.statement.columns.length > 0)
    if (!query.forEachFn && !query.cursorFn
      && (result.length !== received || (hasRows && result.count !== null && result.count !== received)))
      return fault('another number of rows than the server counted')

    if (result.command === 'BEGIN'`,
  },
  {
    text: `    while (incoming.length > 4) {`,
    repaired: `    while (incoming.length > 4 && !socket.destroyed) {`,
  },
];
