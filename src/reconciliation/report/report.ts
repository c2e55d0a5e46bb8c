/** The reconciliation report as a value: figures and findings that were read, put into the words of the wire. Pure. */
import { formatMinor } from '../../money/usd.ts';
import { CHECKS, type Finding, type Report, SEVERITIES, type Statement } from '../../wire/reconciliation/report.ts';
import type { VerifiedBooks } from './reports.ts';

interface ReportScope {
  readonly operatorId: string;
  readonly from: Date;
  readonly verified: VerifiedBooks | null;
}

/** The start of the books, used if no `from` is given. */
export const ACCOUNTING_EPOCH = new Date(0);

/** What sql/functions/reconciliation/check_ledger.sql answers; amounts are cents as text. */
export interface LedgerFigures {
  readonly trialBalance: { readonly debits: string; readonly credits: string };
  readonly scanned: { readonly entries: number; readonly lines: number; readonly accounts: number };
  readonly statements: Readonly<Record<Statement['side'], StatementFigures>>;
  readonly findings: readonly FoundRow[];
  /** The last position that the figures include. */
  readonly position: string;
  /** JSON of a run over everything, to which later ones add. Only SQL reads it: its numbers are too large for JavaScript. */
  readonly verified: string | null;
}

interface StatementFigures {
  readonly accounts: number;
  readonly opening: string;
  readonly ending: string;
  readonly expected: string;
}

export interface FoundRow {
  readonly checkName: Finding['check'];
  readonly severity: Finding['severity'];
  readonly detail: string;
  readonly subjectType: Finding['subjectType'];
  readonly subjectId: string;
}

/** @param findings of all checks; the worst come first. */
export function composeReport(
  { operatorId, from, verified }: ReportScope,
  ranAt: Date,
  { trialBalance, scanned, statements }: LedgerFigures,
  venueAgreement: Report['venueAgreement'],
  findings: readonly Finding[],
): Report {
  const debits = BigInt(trialBalance.debits);
  const credits = BigInt(trialBalance.credits);
  const rank = (finding: Finding) =>
    SEVERITIES.indexOf(finding.severity) * CHECKS.length + CHECKS.indexOf(finding.check);
  return {
    ranAt: ranAt.toISOString(),
    from: from.toISOString(),
    restsOn: verified === null ? null : restsOn(verified),
    ok: !findings.some((finding) => finding.severity === 'critical'),
    trialBalance: {
      debits: formatMinor(debits),
      credits: formatMinor(credits),
      difference: formatMinor(debits - credits),
      balanced: debits === credits,
    },
    cashStatement: statementOf(operatorId, 'hosted', statements.hosted),
    collateralStatement: statementOf(operatorId, 'operator_collateral', statements.operator_collateral),
    scanned,
    venueAgreement,
    findings: findings.toSorted((left, right) => rank(left) - rank(right)),
  };
}

function restsOn({ size, root, verifiedAt }: VerifiedBooks): Report['restsOn'] {
  return { size, root: root.toString('base64'), verifiedAt: verifiedAt.toISOString() };
}

function statementOf(operatorId: string, side: Statement['side'], figures: StatementFigures): Statement {
  const ending = BigInt(figures.ending);
  const expected = BigInt(figures.expected);
  return {
    side,
    accountsInScope: figures.accounts,
    opening: formatMinor(BigInt(figures.opening)),
    ending: formatMinor(ending),
    expectedEnding: formatMinor(expected),
    difference: formatMinor(ending - expected),
    reconciled: ending === expected,
    externalUserId: null,
    operatorUserId: null,
    operatorId,
  };
}

export function readFinding(row: FoundRow): Finding {
  return {
    check: row.checkName,
    severity: row.severity,
    detail: row.detail,
    subjectType: row.subjectType,
    subjectId: row.subjectId,
  };
}
