/** The reconciliation report on the wire (contract chapter 22). What is checked is not known here. */
import { z } from 'zod';
import { amount, timestamp } from '../money.ts';

export const SEVERITIES = ['critical', 'warning', 'info'] as const;

/** Every check there is (contract 22.8 to 22.15). */
export const CHECKS = [
  'trial_balance',
  'account_balance',
  'order_terms',
  'order_money',
  'order_fills',
  'position_quantity',
  'position_cost',
  'position_holdings',
  'settlement_once',
  'settlement_due',
  'settlement_amount',
  'wallet_balance',
  'exposure',
  'period_window',
  'closed_period',
  'collateral_statement',
  'cash_statement',
  'orphan_hold',
  'order_unresolved',
  'venue_agreement',
  'venue_evidence',
  'webhook_due',
  'webhook_stuck',
  'feed_gap',
  'log_behind',
] as const;

const number = (meaning: string) => z.int().min(0).describe(meaning);

const statement = z
  .object({
    side: z.enum(['hosted', 'operator_collateral']).describe('Whose money the statement is about.'),
    accountsInScope: number('Read before `reconciled`: zero accounts reconcile trivially.'),
    opening: amount('At `from`.'),
    ending: amount('At `ranAt`, as the accounts say.'),
    expectedEnding: amount('Opening and movements.'),
    difference: amount('Ending less expected ending.'),
    reconciled: z.boolean().describe('Whether the difference is zero.'),
    externalUserId: z.string().nullable().describe('Null on this report.'),
    operatorUserId: z.null().describe('Deprecated; always null.'),
    operatorId: z.string().describe('The operator.'),
  })
  .meta({ id: 'Statement' });

const finding = z
  .object({
    check: z.enum(CHECKS).describe('What was checked.'),
    severity: z.enum(SEVERITIES).describe('`critical` needs a person.'),
    detail: z.string().describe('What was found, for people.'),
    subjectType: z
      .enum(['user', 'record'])
      .describe("`user` is the operator's id of a customer, `record` an id of ours."),
    subjectId: z.string().describe('What it is about.'),
  })
  .meta({ id: 'Finding' });

export const report = z
  .object({
    ranAt: timestamp('When the checks ran.'),
    from: timestamp('Start of what was looked at; by default the accounting epoch.'),
    restsOn: z
      .object({
        sequence: number('The last item of the feed that the auditor had read.'),
        auditedAt: timestamp('When it had read it.'),
      })
      .describe(
        'How far the auditor had read the journal: at least everything that was recorded when the report was asked for.',
      ),
    ok: z.boolean().describe('False where at least one finding is critical.'),
    trialBalance: z.object({
      debits: amount('Sum of all debits.'),
      credits: amount('Sum of all credits.'),
      difference: amount('Debits less credits.'),
      balanced: z.boolean().describe('Whether the difference is zero.'),
    }),
    cashStatement: statement.describe("Customers' money that the service holds; zero unless it holds wallets."),
    collateralStatement: statement.describe("The operator's money."),
    scanned: z.object({
      entries: number('Ledger entries in the range.'),
      lines: number('Ledger lines in the range.'),
      accounts: number('Accounts with lines.'),
    }),
    venueAgreement: z.object({
      exits: number('Exits compared.'),
      agrees: number('Of which agree.'),
      disagrees: number('Of which disagree.'),
      unknown: number('Of which nothing is known; no disagreement.'),
    }),
    findings: z.array(finding).describe('Empty where all is well.'),
  })
  .meta({ id: 'Report' });

export const reportQuery = z.object({
  from: z.string().optional().describe('ISO-8601; by default the accounting epoch.'),
});

export type Statement = z.infer<typeof statement>;
export type Finding = z.infer<typeof finding>;
export type Report = z.infer<typeof report>;
