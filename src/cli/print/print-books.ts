/** The state of the books as commands show it: the report of a reconciliation, and closed accounting periods. */

import type { Finding, Report, Statement } from '../../client/shapes.ts';
import { withThousands } from '../../core/plain-words.ts';
import type { AccountingPeriod } from '../../ledger/periods.ts';
import type { Facts } from '../terminal/facts.ts';
import type { Column } from '../terminal/table.ts';

export const findingColumns: readonly Column<Finding>[] = [
  {
    name: 'severity',
    value: (finding) => finding.severity,
    paint: ({ severity }) => (severity === 'critical' ? 'red' : severity === 'warning' ? 'yellow' : undefined),
  },
  { name: 'check', value: (finding) => finding.check },
  { name: 'subjectType', title: 'subject', value: (finding) => finding.subjectType },
  { name: 'subjectId', title: 'subject id', value: (finding) => finding.subjectId },
  { name: 'detail', wraps: true, value: (finding) => finding.detail },
];

/** @returns the moment; 1970 is before any entry */
export function fromText(moment: string): string {
  return Date.parse(moment) === 0 ? 'the beginning' : moment;
}

export function reportFacts(report: Report): Facts {
  const { trialBalance, scanned, venueAgreement } = report;
  return {
    'ran at': report.ranAt,
    from: fromText(report.from),
    ok: report.ok ? 'yes' : 'NO',
    'trial balance': `${withThousands(trialBalance.debits)} debits, ${withThousands(trialBalance.credits)} credits, difference ${withThousands(trialBalance.difference)}`,
    cash: statementText(report.cashStatement),
    collateral: statementText(report.collateralStatement),
    scanned: `${withThousands(scanned.entries)} entries, ${withThousands(scanned.lines)} lines, ${withThousands(scanned.accounts)} accounts`,
    exits: `${withThousands(venueAgreement.exits)}, the venue agrees with ${withThousands(venueAgreement.agrees)}, disagrees with ${withThousands(venueAgreement.disagrees)}, unknown ${withThousands(venueAgreement.unknown)}`,
    findings: report.findings.length === 0 ? 'none' : report.findings.length,
  };
}

function statementText(statement: Statement): string {
  const { opening, ending, expectedEnding, accountsInScope, reconciled } = statement;
  return `${withThousands(opening)} to ${withThousands(ending)} over ${withThousands(accountsInScope)} ${accountsInScope === 1 ? 'account' : 'accounts'}, expected ${withThousands(expectedEnding)}, ${reconciled ? 'reconciled' : 'NOT RECONCILED'}`;
}

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
