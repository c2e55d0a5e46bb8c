/** The meaning of a database error for a caller. The text of such an error never leaves the service. */

const AWAY = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  // the result did not belong to its statement; the connection was destroyed
  'UNEXPECTED_RESULT',
  // no result in time; none of several hosts is suitable
  'STATEMENT_DEADLINE',
  'NO_SUITABLE_HOST',
  // shutting down; crashed; starting up; dropped; idle too long; read-only after a failover
  '57P01',
  '57P02',
  '57P03',
  '57P04',
  '57P05',
  '25006',
  // the server could not read or write a file
  '58030',
  // cancelled, or waited too long for a lock
  '57014',
  '55P03',
  // a serialization failure or a deadlock: nothing was written, and a retry helps
  '40001',
  '40P01',
]);
const NOT_SUPPORTED = '0A000';
/** PostgreSQL refuses unlogged tables here during recovery: the node is being promoted. */
const RECOVERY_ROUTINE = 'get_relation_info';
/** Too many connections, a full disk, no memory. */
const INSUFFICIENT_RESOURCES = /^53[0-9A-Z]{3}$/;
/** A full disk, no memory, a file that could not be read or written: statements that need no room still succeed. */
const SHORT = new Set(['53100', '53200', '58030']);
const CONNECTION_EXCEPTION = /^08[0-9A-Z]{3}$/;
/** Invalid text, a number out of range, a malformed date or number. */
const UNSTORABLE = new Set(['22021', '22P05', '22003', '22008', '22P02', '22007']);

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** PostgreSQL ended the connection with such an error, or never opened it, so the statement is not the cause. */
function isFatal(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && (error.severity === 'FATAL' || error.severity === 'PANIC');
}

function isRecovering(error: unknown): boolean {
  const hasRoutine = error instanceof Error && 'routine' in error && error.routine === RECOVERY_ROUTINE;
  return hasRoutine && codeOf(error) === NOT_SUPPORTED;
}

/** The database is not available, or requires a retry. */
export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error);
  return (
    AWAY.has(code) ||
    INSUFFICIENT_RESOURCES.test(code) ||
    CONNECTION_EXCEPTION.test(code) ||
    isFatal(error) ||
    isRecovering(error)
  );
}

/** The database lacks room or memory for this statement. */
export function isDatabaseShort(error: unknown): boolean {
  return SHORT.has(codeOf(error));
}

/** A value of the request does not fit its type in the database, and no schema refused it earlier. */
export function isUnstorableInput(error: unknown): boolean {
  return UNSTORABLE.has(codeOf(error));
}

/** The statement waited too long for a lock. */
export function isLocked(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** A statement was refused by the database, for any reason. */
export function isDatabaseError(error: unknown): boolean {
  return error instanceof Error && 'severity' in error;
}

const UNREACHABLE = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENOTFOUND', 'CONNECT_TIMEOUT']);

/** No connection was opened, so that the statement was not sent. */
export function isUnreachable(error: unknown): boolean {
  return UNREACHABLE.has(codeOf(error));
}

/**
 * A copy of a function for a shard (schema/shard-copies.ts) refused the call and wrote nothing: the shard is on another server, it does not have
 * these operators, or what was read of markets is too old.
 */
export function hasMoved(error: unknown): boolean {
  return codeOf(error) === '40001';
}

/** The server has no copy of the function for this shard, because the shard is new and "inlay migrate" did not run since. */
export function hasNoCopy(error: unknown): boolean {
  return ['3F000', '42883'].includes(codeOf(error));
}

/** The role of the connection may not do this. */
export function isNotPermitted(error: unknown): boolean {
  return codeOf(error) === '42501';
}
