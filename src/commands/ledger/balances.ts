/** `ledger balances`: the balance of each account of an operator at a point in time, as a trial balance. Reads only. */

import { Flags } from '@oclif/core';
import { operatorFlag } from '../../cli/flags.ts';
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { listFlags } from '../../cli/terminal/table.ts';
import { refuse } from '../../core/errors.ts';
import { readMoment } from '../../core/moment.ts';
import { withThousands } from '../../core/plain-words.ts';
import { balancesAt } from '../../ledger/journal.ts';
import { formatMinor, sumMinor } from '../../money/usd.ts';
import { getOperator } from '../../operators/operators.ts';

/** Dollars as decimal strings. */
interface Balance {
  accountId: string;
  debit: string;
  credit: string;
  /** Debits are positive: a liability is negative. */
  balance: string;
}

interface Balances {
  operatorId: string;
  slug: string;
  /** Counts entries recorded before this time. */
  at: string;
  balances: Balance[];
  /** Totals of the accounts that are shown; over all accounts the two are equal. */
  totals: { debit: string; credit: string };
}

export default class ShowBalances extends OperatorCommand<typeof ShowBalances> {
  static override hidden = true;
  static override withKey = 'reconciliation export --kind ledger';
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'Show the balances of the accounts of an operator, now or at any time.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --operator demo',
    '<%= config.bin %> <%= command.id %> --operator demo --at 2026-11-01T00:00:00Z --output csv',
    '<%= config.bin %> <%= command.id %> --operator demo --account wallet: --json',
  ];
  static override flags = {
    ...listFlags,
    ...operatorFlag,
    at: Flags.string({
      helpValue: 'TIME',
      summary: 'Only entries recorded before this time count; ISO-8601; by default now.',
    }),
    account: Flags.string({
      helpValue: 'ACCOUNT',
      summary: 'Account, or all accounts of a kind with a colon at the end, for example "wallet:"; by default all.',
    }),
  };

  async run(): Promise<Balances> {
    const at = this.flags.at === undefined ? new Date() : readMoment(this.flags.at);
    if (at === undefined) {
      throw refuse('invalid_date');
    }
    const { sql } = await this.openContext();
    const { operatorId, slug } = await getOperator(sql, this.flags.operator);
    const all = await balancesAt(sql, operatorId, this.flags.at === undefined ? undefined : at);
    const shown = all.filter(({ accountId }) => isAsked(accountId, this.flags.account));
    const minors = shown.map(({ balanceMinor }) => balanceMinor);
    const totals = {
      debit: formatMinor(sumMinor(minors.map(debitOf))),
      credit: formatMinor(sumMinor(minors.map((minor) => debitOf(-minor)))),
    };
    const balances = shown.map(({ accountId, balanceMinor }) => ({
      accountId,
      debit: formatMinor(debitOf(balanceMinor)),
      credit: formatMinor(debitOf(-balanceMinor)),
      balance: formatMinor(balanceMinor),
    }));
    await this.printList(
      balances,
      [
        { name: 'accountId', value: (row) => row.accountId },
        { name: 'debit', value: (row) => row.debit, align: 'right' },
        { name: 'credit', value: (row) => row.credit, align: 'right' },
        { name: 'balance', value: (row) => row.balance, csvOnly: true },
      ],
      'No such account had a balance at that time.',
    );
    if (this.flags.output === 'table') {
      this.note(
        `${slug}, before ${at.toISOString()}: debit ${withThousands(totals.debit)}, credit ${withThousands(totals.credit)}`,
      );
    }
    return { operatorId, slug, at: at.toISOString(), balances, totals };
  }
}

function isAsked(accountId: string, asked: string | undefined): boolean {
  return asked === undefined || accountId === asked || (asked.endsWith(':') && accountId.startsWith(asked));
}

function debitOf(minor: bigint): bigint {
  return minor > 0n ? minor : 0n;
}
