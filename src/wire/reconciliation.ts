/**
 * Reconciliation on the wire: the report (contract chapter 22), the collateral, exports, and the register of settlements (contract chapter
 * 16, contract 16.8). Collateral and exports are additions of ours.
 */
import { z } from 'zod';
import { REVENUE_BY } from '../core/terms.ts';
import { isTimeZone } from '../core/time.ts';
import { amount, currency, quantity, settlementMoney, side, simulated, timestamp } from './money.ts';
import { count, cursor, hasMore, moment, pageLimit, userFilter, watermark } from './page.ts';

export const SEVERITIES = ['critical', 'warning', 'info'] as const;

/** All checks (contract 22.8 to 22.15). */
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
    side: z.enum(['hosted', 'operator_collateral']).describe('Owner of the money of the statement.'),
    accountsInScope: number(
      'Number of accounts that were compared. Zero accounts always reconcile, so read it before `reconciled`.',
    ),
    opening: amount('Balance at `from`.'),
    ending: amount('Balance of the accounts at `ranAt`.'),
    expectedEnding: amount('Sum of the opening balance and the movements.'),
    difference: amount('`ending` less `expectedEnding`.'),
    reconciled: z.boolean().describe('Whether the difference is zero.'),
    externalUserId: z.string().nullable().describe('Null on this report.'),
    operatorUserId: z.null().describe('Deprecated; always null.'),
    operatorId: z.string().describe('The operator.'),
  })
  .meta({ id: 'Statement' });

const finding = z
  .object({
    check: z.enum(CHECKS).describe('Name of the check.'),
    severity: z.enum(SEVERITIES).describe('A `critical` finding needs a person.'),
    detail: z.string().describe('Text for people about what was found.'),
    subjectType: z
      .enum(['user', 'record'])
      .describe(
        "Kind of `subjectId`: `user` is the operator's id of a customer, and `record` is an id of the service.",
      ),
    subjectId: z.string().describe('Id of the subject of the finding.'),
  })
  .meta({ id: 'Finding' });

export const report = z
  .object({
    ranAt: timestamp('Time at which the checks ran.'),
    from: timestamp('Start of the range that was checked; by default the accounting epoch.'),
    restsOn: z
      .object({
        sequence: number('Number of the last feed item that the auditor had read.'),
        auditedAt: timestamp('Time at which the auditor had read it.'),
      })
      .describe(
        'Position up to which the auditor had read the journal. It covers everything that was recorded when the report was requested.',
      ),
    ok: z.boolean().describe('Whether no finding is critical.'),
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
      exits: number('Exits that were compared with the venue.'),
      agrees: number('Exits that agree.'),
      disagrees: number('Exits that disagree.'),
      unknown: number('Exits about which the venue has reported nothing. They do not count as a disagreement.'),
    }),
    findings: z.array(finding).describe('Findings; empty if everything is in order.'),
  })
  .meta({ id: 'Report' });

export const reportQuery = z.object({
  from: moment('ISO-8601; by default the accounting epoch.'),
});

export type Statement = z.infer<typeof statement>;
export type Finding = z.infer<typeof finding>;
export type Report = z.infer<typeof report>;

const movement = z
  .object({
    id: z.string().describe('Id of the `collateral.moved` item.'),
    sequence: z.int().min(1).describe('Number of that item in the feed.'),
    kind: z.enum(['deposit', 'withdrawal', 'commit', 'release', 'spend', 'return']).describe('Kind of the movement.'),
    amount: amount('Amount that was moved.'),
    availableAfter: amount('Free collateral after the movement.'),
    committedAfter: amount('Committed collateral after the movement.'),
    memo: z.string().describe('Text for people.'),
    reference: z.string().nullable().describe('Reference of a deposit or withdrawal; otherwise null.'),
    externalUserId: z
      .string()
      .nullable()
      .describe("The operator's id of the customer; null for deposits and withdrawals."),
    orderId: z.string().nullable().describe('The order that caused the movement; null if none did.'),
    positionId: z.string().nullable().describe('The position that caused the movement; null if none did.'),
    ledgerEntryId: z.string().describe('The ledger entry of the movement.'),
    occurredAt: timestamp('Time at which the movement was recorded.'),
  })
  .meta({ id: 'CollateralMovement' });

export const collateral = z
  .object({
    currency,
    available: amount('Free for orders and withdrawals.'),
    committed: amount('Committed to orders that are not final.'),
    total: amount('Sum of available and committed.'),
    movements: z.array(movement).describe('The last movements, newest first. The feed has all of them.'),
  })
  .meta({ id: 'Collateral' });

export const collateralQuery = z.object({ limit: pageLimit(200, 20) });

export type Collateral = z.infer<typeof collateral>;

const FLAGS: ReadonlySet<string> = new Set(['true', 'false', '1', '0']);
const flag = (description: string) =>
  z
    .string()
    .refine((text) => FLAGS.has(text), 'true or false')
    .optional()
    .transform((text) => text === 'true' || text === '1')
    .meta({ type: 'boolean', default: false, description });

export const exportQuery = z.object({
  kind: z
    .enum(['feed', 'orders', 'settlements', 'positions', 'ledger', 'fees', 'revenue', 'statement'])
    .describe('Register to export.'),
  by: z
    .enum(REVENUE_BY)
    .optional()
    .describe('Grouping of the rows of a revenue statement: one or two of these, in this order; by default `day`.'),
  format: z.enum(['csv', 'jsonl', 'json']).default('csv').describe('Format of the body.'),
  from: moment('ISO-8601, inclusive, by the time recorded; a date alone is its midnight UTC.'),
  to: moment('ISO-8601, exclusive; never later than the start of the export. A date alone is its midnight UTC.'),
  skip: z
    .string()
    .regex(/^\d{1,12}$/, 'a whole number')
    .optional()
    .transform((text = '0') => Number(text))
    .meta({
      type: 'integer',
      default: 0,
      minimum: 0,
      description: 'Number of rows that you already have. Only for kinds that are append-only, as csv or jsonl.',
    }),
  delimiter: z
    .string()
    .regex(/^[\t -!#-,/:-@\x5b-\x60{-~]$/, 'one character that is no quote, dot, letter or digit')
    .optional()
    .describe('Separator between the cells of CSV; by default `,`, or `;` with a decimal comma.'),
  bom: flag('Whether CSV begins with a byte order mark.'),
  decimalComma: flag('Whether decimals in CSV have a comma.'),
  timeZone: z
    .string()
    .refine(isTimeZone, 'an IANA time zone, such as Europe/Zagreb')
    .optional()
    .describe(
      'Writes times of CSV as 2026-11-01 13:00:00 on the clock of this IANA time zone, instead of ISO-8601 in UTC. The days of a revenue statement begin in this time zone in every format.',
    ),
});

/** The header `x-export`. */
export interface ExportHeader {
  readonly kind: string;
  readonly format: string;
  readonly from: string | null;
  readonly to: string;
  readonly appendOnly: boolean;
  readonly rows: number;
  /** The range as sequences of the feed: after the first one, up to the second. 0 is before the first item. */
  readonly sequences: { readonly after: number; readonly through: number };
  readonly totals: Readonly<Record<string, string>>;
}

/** A column of an export: its name with dots, and the type of its values. `cents` have two places, `micros` six. */
export interface ExportColumnName {
  readonly name: string;
  readonly type: 'text' | 'cents' | 'micros' | 'integer' | 'boolean' | 'time' | 'date' | 'json';
}

/** The header `x-export-columns`: `name:type`, separated by commas. */
export function formatColumns(columns: readonly ExportColumnName[]): string {
  return columns.map(({ name, type }) => `${name}:${type}`).join(',');
}

export function readColumns(header: string): ExportColumnName[] {
  return header
    .split(',')
    .filter((text) => text !== '')
    .map((text) => {
      const [name = '', type = 'text'] = text.split(':');
      return { name, type: type as ExportColumnName['type'] };
    });
}

export const RESOLUTIONS = ['YES', 'NO', 'VOID', 'SPLIT'] as const;
export const OUTCOMES = ['won', 'lost', 'void'] as const;

export const settlement = z
  .object({
    id: z.string().describe('Stable id. Use it as the key of your credit.'),
    positionId: z.string().describe('The position that settled. Each position settles once.'),
    externalUserId: z.string().describe("The operator's own id of the customer."),
    contractId: z.string().describe('The `ctr_` id.'),
    side,
    resolution: z.enum(RESOLUTIONS).describe('Resolution of the contract.'),
    outcome: z.enum(OUTCOMES).describe('Result of the position. `void` is an annulment or a split payout.'),
    contracts: quantity('Quantity settled.'),
    realisedPnl: amount('Profit of this settlement: credit less cost basis.'),
    lifetimeRealisedPnl: amount('Profit of the position so far.'),
    settledAt: timestamp('Time of the settlement.'),
    operatorMoney: settlementMoney,
    cursor: z.string().describe('Cursor that continues right after this settlement.'),
    simulated,
  })
  .meta({ id: 'Settlement' });

export const settlementPage = z
  .object({
    settlements: z.array(settlement).describe('Settlements, oldest first.'),
    count,
    nextCursor: watermark,
    hasMore,
  })
  .meta({ id: 'SettlementPage' });

/** The past positions that the frame shows. */
export const latestSettlements = z.object({
  settlements: z.array(settlement).describe('Settlements, newest first.'),
  count,
});

export const settlementListQuery = z.object({
  externalUserId: userFilter.describe('Only this customer. An unknown customer is refused with 404 `unknown_user`.'),
  outcome: z
    .string()
    .optional()
    .describe('Only this outcome: `won`, `lost` or `void`. Any other value returns an empty page.'),
  settledFrom: moment('Earliest `settledAt`, inclusive.'),
  settledTo: moment('Latest `settledAt`, inclusive.'),
  limit: pageLimit(500, 100),
  cursor,
});

/** The deprecated list that pages by time without a tiebreaker. */
export const settledPositionsPage = z.object({
  supersededBy: z.string().describe('The route that replaces this one.'),
  settlements: z.array(settlement).describe('Settlements, oldest first.'),
  count,
  cursor: z.string().nullable().describe('Value to send as `?since=` for the next page.'),
});

export const settledPositionsQuery = z.object({
  externalUserId: userFilter,
  since: moment('`cursor` of the answer before.'),
  limit: pageLimit(500, 100),
});

export type Settlement = z.infer<typeof settlement>;
export type SettlementPage = z.infer<typeof settlementPage>;
export type LatestSettlements = z.infer<typeof latestSettlements>;
export type SettledPositionsPage = z.infer<typeof settledPositionsPage>;
