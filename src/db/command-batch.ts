/** A batch of commands as a statement takes it. */
import type { RowType } from './row-type.ts';

/** Rows that are numbered from 1, as JSON. */
export function packRows<T>(type: RowType<T>, commands: readonly T[]): string {
  return `[${commands.map((command, index) => `{"number":${index + 1}${type.members(command)}}`).join(',')}]`;
}
