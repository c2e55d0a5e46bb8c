/** Prints a reconciliation report for people: the verdict, both statements, and what was found. */
import type { Finding, Report, Statement } from '../../client/shapes.ts';
import type { Facts } from '../terminal/facts.ts';
import { withThousands } from '../terminal/figures.ts';
import type { Column } from '../terminal/table.ts';

export const findingColumns: readonly Column<Finding>[] = [
  {
    name: 'severity',
    value: (finding) => finding.severity,
    paint: ({ severity }) => (severity === 'critical' ? 'red' : severity === 'warning' ? 'yellow' : undefined),
  },
  { name: 'check', value: (finding) => finding.check },
  { name: 'subjectType', title: 'subject', value: (finding) => finding.subjectType },
  { name: 'subjectId', title: 'id', value: (finding) => finding.subjectId },
  { name: 'detail', value: (finding) => finding.detail },
];

/** Named values, one per line. */
export function reportFacts(report: Report): Facts {
  const { trialBalance, scanned, venueAgreement } = report;
  return {
    'ran at': report.ranAt,
    from: report.from,
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
