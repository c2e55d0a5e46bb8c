/** `reconciliation revenue`: revenue by day, customer, market or two of them, as a table with bars, CSV or JSON. */
import { Flags } from '@oclif/core';
import { PartnerCommand } from '../../cli/partner-command.ts';
import {
  fetchRevenue,
  REVENUE_AMOUNTS,
  type Revenue,
  revenueColumns,
  withTotals,
} from '../../cli/statement/revenue.ts';
import { headingOf } from '../../cli/terminal/facts.ts';
import { listFlags } from '../../cli/terminal/table.ts';
import { startOf, timeZoneFlag, windowFlags } from '../../cli/times.ts';
import { REVENUE_BY } from '../../core/terms.ts';

export default class RevenueCommand extends PartnerCommand<typeof RevenueCommand> {
  static override hidden = true;
  static override summary = 'Show revenue by day, customer, market, or two of them, with bars.';
  static override description =
    'Amounts are dollars, computed from the ledger. The market result is the stakes less the payouts; it belongs to the exchange and is not revenue. Fee revenue is what the platform earned. Customers and markets are sorted by the amount of the bars. CSV has all columns. For a spreadsheet use "reconciliation export --kind revenue --format xlsx" with the same flags.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --from 2026-11-01 --to 2026-12-01',
    '<%= config.bin %> <%= command.id %> --by market,day --chart marketResult',
    '<%= config.bin %> <%= command.id %> --by customer --time-zone Europe/Zagreb --output csv > customers.csv',
  ];
  static override flags = {
    ...listFlags,
    by: Flags.option({
      options: REVENUE_BY,
      default: 'day' as const,
      helpValue: 'SUBJECTS',
      summary: 'Subject of the rows: day, customer, market, or two of them, for example market,day.',
    })(),
    ...windowFlags,
    'time-zone': timeZoneFlag({
      default: 'UTC',
      summary: 'Time zone in which a day begins, for example Europe/Zagreb.',
    }),
    chart: Flags.option({
      options: REVENUE_AMOUNTS,
      default: 'feeRevenue' as const,
      helpValue: 'AMOUNT',
      summary: `Amount that the bars show: ${REVENUE_AMOUNTS.join(', ')}.`,
    })(),
  };

  async run(): Promise<Revenue> {
    const { by, from, to, chart, output } = this.flags;
    const timeZone = this.flags['time-zone'];
    const window = { by, from: startOf(from, timeZone), to: startOf(to, timeZone), timeZone };
    const revenue = await this.read(() => fetchRevenue(this.client, window, new AbortController().signal));
    const isTable = output === 'table' && revenue.rows.length > 0;
    const rows = isTable ? withTotals(revenue, by, chart) : revenue.rows;
    await this.printList(rows, revenueColumns(revenue, by, chart), 'No revenue in this time.');
    if (isTable && !this.jsonEnabled()) {
      const { from: start, to: end } = revenue;
      this.note(`From ${start ?? 'the beginning'} to ${end}. The bars show the ${headingOf(chart)}.`);
    }
    return revenue;
  }
}
