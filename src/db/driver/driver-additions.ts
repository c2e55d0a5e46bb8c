/**
 * What `src/db/driver/driver.ts` adds to the source of `postgres` 3.4.9: results are counted, statements have a
 * deadline, the number of statements that wait for a connection is bounded, and a statement is sent at once. The options are properties of
 * `sql.options` (client.ts).
 */
import type { Repair } from './driver-repairs.ts';

/** For `cjs/src/connection.js`. */
export const CONNECTION_ADDITIONS: readonly Repair[] = [
  // An answer that does not belong to the waiting query is a fault of the connection; nothing after it is trusted.
  {
    text: `    const row = query.isRaw ? new Array(query.statement.columns.length) : {}`,
    repaired: `    if (x.readUInt16BE(5) !== query.statement.columns.length)
      return fault('UNEXPECTED_RESULT', 'a row of another width than its statement')

    const row = query.isRaw ? new Array(query.statement.columns.length) : {}`,
  },
  {
    text: `  function CommandComplete(x) {
    rows = 0
`,
    repaired: `  function fault(code, what) {
    error(Errors.generic(code, what))
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
      return fault('UNEXPECTED_RESULT', 'another number of rows than the server counted')

    if (result.command === 'BEGIN'`,
  },
  {
    text: `    while (incoming.length > 4) {`,
    repaired: `    while (incoming.length > 4 && !socket.destroyed) {`,
  },
  // With one statement at a time nothing can join it on its way, so a small one does not wait for the end of the tick.
  {
    text: `      return write(toBuffer(q))
        && !q.describeFirst`,
    repaired: `      return send(toBuffer(q))
        && !q.describeFirst`,
  },
  {
    text: `  function nextWrite(fn) {`,
    repaired: `  function send(x) {
    const went = write(x)
    return chunk === null ? went : nextWrite()
  }

  function nextWrite(fn) {`,
  },
  // A statement without an answer within `options.deadline` milliseconds ends its connection; one timer a connection.
  {
    text: `  function execute(q) {
    if (terminated)`,
    repaired: `  function watch() {
    if (!options.deadline)
      return

    deadlineAt = performance.now() + options.deadline
    overdue = false
    deadlineTimer === null && (deadlineTimer = setTimeout(missed, options.deadline).unref())
  }

  function missed() {
    deadlineTimer = null
    const left = deadlineAt - performance.now()
    if (!query || !socket)
      return

    // this process itself may have been suspended: read first what arrived meanwhile
    if (left > 1 || !overdue) {
      overdue = left <= 1
      deadlineTimer = setTimeout(missed, overdue ? 50 : left).unref()
    } else
      fault('STATEMENT_DEADLINE', 'no answer within ' + options.deadline + ' ms')
  }

  function execute(q) {
    q.waiting && clearTimeout(q.waiting)
    if (terminated)`,
  },
  {
    text: `        : (query = q, query.active = true)
`,
    repaired: `        : (query = q, query.active = true, watch())
`,
  },
  {
    text: `    while (sent.length && (query = sent.shift()) && (query.active = true, query.cancelled))`,
    repaired: `    while (sent.length && (query = sent.shift()) && (query.active = true, watch(), query.cancelled))`,
  },
  {
    text: `    , remaining = 0
    , hostIndex = 0`,
    repaired: `    , remaining = 0
    , deadlineAt = 0
    , deadlineTimer = null
    , overdue = false
    , tried = 0
    , triedHost = 0
    , hostIndex = 0`,
  },
];

/** For `cjs/src/queue.js`. */
export const QUEUE_ADDITIONS: readonly Repair[] = [
  {
    text: `    push: (x) => (xs.push(x), x),
`,
    repaired: `    push: (x) => (xs.push(x), x),
    pop: () => {
      const out = xs.pop()
      if (index === xs.length) {
        index = 0
        xs = []
      }

      return out
    },
`,
  },
];

/**
 * For `cjs/src/index.js`: limits how many queries wait for a connection, and how long; shows them to tracing; takes the
 * connection that was used last.
 */
export const POOL_ADDITIONS: readonly Repair[] = [
  // A server process that has just worked has its plans, its caches and its memory at hand. Taken in turn, a caller that
  // is alone meets another one each time.
  {
    text: `      return go(open.shift(), query)`,
    repaired: `      return go(open.pop(), query)`,
  },
  // Tracing sees a statement before it waits for a connection.
  {
    text: `  function handler(query) {
    if (ending)`,
    repaired: `  function handler(query) {
    options.observe && options.observe(query)
    if (ending)`,
  },
  {
    text: `    busy.length
      ? go(busy.shift(), query)
      : queries.push(query)
  }`,
    repaired: `    busy.length
      ? go(busy.shift(), query)
      : wait(query)
  }

  function wait(query) {
    if (options.maxWaiting && queries.length >= options.maxWaiting)
      return query.reject(Errors.generic('TOO_MANY_WAITING', 'every connection is busy and ' + queries.length + ' statements wait'))

    queries.push(query)
    options.deadline && (query.waiting = setTimeout(() =>
      queries.remove(query) && query.reject(Errors.generic('STATEMENT_DEADLINE', 'no connection within ' + options.deadline + ' ms'))
    , options.deadline))
  }`,
  },
];
