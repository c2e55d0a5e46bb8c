/** Prints a reconciliation report for people: the verdict, both statements, and what was found. */
import type { Finding, Report, Statement } from '../../client/shapes.ts';
import type { Column } from '../terminal/output.ts';
import type { Facts } from './facts.ts';

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
    'trial balance': `${grouped(trialBalance.debits)} debits, ${grouped(trialBalance.credits)} credits, difference ${grouped(trialBalance.difference)}`,
    cash: statementText(report.cashStatement),
    collateral: statementText(report.collateralStatement),
    scanned: `${grouped(scanned.entries)} entries, ${grouped(scanned.lines)} lines, ${grouped(scanned.accounts)} accounts`,
    exits: `${grouped(venueAgreement.exits)}, the venue agrees with ${grouped(venueAgreement.agrees)}, disagrees with ${grouped(venueAgreement.disagrees)}, unknown ${grouped(venueAgreement.unknown)}`,
    findings: report.findings.length === 0 ? 'none' : report.findings.length,
  };
}

function statementText(statement: Statement): string {
  const { opening, ending, expectedEnding, accountsInScope, reconciled } = statement;
  return `${grouped(opening)} to ${grouped(ending)} over ${grouped(accountsInScope)} ${accountsInScope === 1 ? 'account' : 'accounts'}, expected ${grouped(expectedEnding)}, ${reconciled ? 'reconciled' : 'NOT RECONCILED'}`;
}

/** An amount or a count with separators of thousands, as tables show them. */
function grouped(value: string | number): string {
  return String(value).replace(/\d+/, (whole) => whole.replaceAll(/\B(?=(\d{3})+$)/g, ','));
}
