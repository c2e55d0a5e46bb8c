/** The kinds of export, by name. */
import type { RevenueBy } from '../../core/terms.ts';
import { feed, fees } from './export-items.ts';
import { orders, positions } from './export-orders.ts';
import { ledger, settlements } from './export-registers.ts';
import { revenueBy } from './export-revenue.ts';
import type { ExportSpec } from './export-spec.ts';
import { statement } from './export-statement.ts';
import type { RenderedExport } from './rendered-export.ts';

const REGISTERS = { feed, orders, settlements, positions, ledger, fees, statement };

export type ExportKind = keyof typeof REGISTERS | 'revenue';

/** @param by what the rows of a revenue statement are, and `timeZone` whose days; the other kinds have none. */
export function exportSpec(kind: ExportKind, by: RevenueBy, timeZone?: string): ExportSpec | RenderedExport {
  return kind === 'revenue' ? revenueBy(by, timeZone) : REGISTERS[kind];
}
