/** A closed accounting period as commands show it. */
import type { AccountingPeriod } from '../../ledger/periods.ts';

export interface ShownPeriod {
  readonly operatorId: string;
  readonly slug: string;
  readonly period: number;
  readonly from: string;
  readonly to: string;
  readonly throughSequence: number;
  readonly closedBy: string;
  readonly closedAt: string;
}

export function renderPeriod(period: AccountingPeriod): ShownPeriod {
  return {
    operatorId: period.operatorId,
    slug: period.slug,
    period: period.number,
    from: period.startsAt.toISOString(),
    to: period.endsAt.toISOString(),
    throughSequence: period.throughSequence,
    closedBy: period.closedBy,
    closedAt: period.closedAt.toISOString(),
  };
}
