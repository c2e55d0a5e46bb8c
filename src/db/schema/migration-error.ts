/** What went wrong in a migration, for whoever started it. */

/** One sentence about what could not be applied, without a stack. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

/** node-pg-migrate puts a stack into the message. */
export function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}

export function sqlState(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
