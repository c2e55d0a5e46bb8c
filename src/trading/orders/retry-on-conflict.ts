/**
 * Asks a money statement again that the balance of an account refused. Two statements side by side may both see collateral
 * that is enough for one of them; the constraint refuses the later, which then sees what is left and answers with a code.
 */
const CHECK_VIOLATION = '23514';
const OVERDRAWN = 'liability_not_overdrawn';
const TRIES = 6;

/** @throws what `call` throws, where it is anything else or does not end. Nothing was written by a call that threw it. */
export async function retryOnConflict<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      if (tries === TRIES || !isOverdrawn(error)) {
        throw error;
      }
    }
  }
}

function isOverdrawn(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === CHECK_VIOLATION &&
    'constraint_name' in error &&
    error.constraint_name === OVERDRAWN
  );
}
