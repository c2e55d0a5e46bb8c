/** How a command names the cells that did not answer. */
import type { SilentCell } from '../../operations/cells/ask-cells.ts';

export function silentCells(silent: readonly SilentCell[]): string {
  return silent.map(({ cell, because }) => `cell ${cell} does not answer (${because})`).join(', ');
}
