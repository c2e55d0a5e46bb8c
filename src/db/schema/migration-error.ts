/** The error of a failed migration, with a message for the person who started it. */

/** One sentence about what could not be applied, without a stack trace. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

/** An error of PostgreSQL in one line. */
export function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}

export function sqlState(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
