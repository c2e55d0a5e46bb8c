/** The reconciliation report as a value: the auditor's figures and findings, put into the words of the wire. Pure. */
import type { Figures, StatementFigures } from '../../audit/arithmetic.ts';
import { formatMinor } from '../../money/usd.ts';
import { CHECKS, type Finding, type Report, SEVERITIES, type Statement } from '../../wire/reconciliation.ts';

/** The start of the books, used if no `from` is given. */
export const ACCOUNTING_EPOCH = new Date(0);

/** @param findings of all checks; the worst come first. */
export function composeReport(
  operatorId: string,
  from: Date,
  ranAt: Date,
  figures: Figures,
  findings: readonly Finding[],
): Report {
  const { sequence, auditedAt, debits, credits, exits, agrees, disagrees } = figures;
  const all = [...findings, ...statementFindings(operatorId, figures)];
  const rank = (finding: Finding) =>
    SEVERITIES.indexOf(finding.severity) * CHECKS.length + CHECKS.indexOf(finding.check);
  return {
    ranAt: ranAt.toISOString(),
    from: from.toISOString(),
    restsOn: { sequence: Number(sequence), auditedAt: auditedAt.toISOString() },
    ok: !all.some((finding) => finding.severity === 'critical'),
    trialBalance: {
      debits: formatMinor(debits),
      credits: formatMinor(credits),
      difference: formatMinor(debits - credits),
      balanced: debits === credits,
    },
    cashStatement: statementOf(operatorId, 'hosted', figures.hosted),
    collateralStatement: statementOf(operatorId, 'operator_collateral', figures.collateral),
    scanned: { entries: Number(figures.entries), lines: Number(figures.lines), accounts: Number(figures.accounts) },
    venueAgreement: {
      exits: Number(exits),
      agrees: Number(agrees),
      disagrees: Number(disagrees),
      unknown: Number(exits - agrees - disagrees),
    },
    findings: all.toSorted((left, right) => rank(left) - rank(right)),
  };
}

function statementOf(
  operatorId: string,
  side: Statement['side'],
  { accounts, opening, ending, expected }: StatementFigures,
): Statement {
  return {
    side,
    accountsInScope: Number(accounts),
    opening: formatMinor(opening),
    ending: formatMinor(ending),
    expectedEnding: formatMinor(expected),
    difference: formatMinor(ending - expected),
    reconciled: ending === expected,
    externalUserId: null,
    operatorUserId: null,
    operatorId,
  };
}

function statementFindings(operatorId: string, { hosted, collateral }: Figures): Finding[] {
  const sides = [
    ['cash_statement', hosted],
    ['collateral_statement', collateral],
  ] as const;
  return sides
    .filter(([, { ending, expected }]) => ending !== expected)
    .map(([check, { ending, expected }]) => ({
      check,
      severity: 'critical',
      detail: `The accounts end at ${formatMinor(ending)}, the movements at ${formatMinor(expected)}.`,
      subjectType: 'record',
      subjectId: operatorId,
    }));
}
