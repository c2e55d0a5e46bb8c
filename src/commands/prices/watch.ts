/** `prices watch`: live prices. On a terminal a table that redraws itself, otherwise one JSON document per line. */
import { Args, Flags } from '@oclif/core';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { type PriceUpdate, watchPrices } from '../../cli/service/watch-prices.ts';
import type { PriceRow } from '../../cli/terminal/price-table.ts';
import { toJson } from '../../cli/terminal/printable.ts';

export default class Watch extends PartnerCommand<typeof Watch> {
  static override summary = 'Follow prices as they move.';
  static override description = 'An event id or slug stands for all outcomes of the event; its look-up needs a key.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ctr_0197f1c2 ctr_0197f1c3',
    '<%= config.bin %> <%= command.id %> evt_0197f1c2',
    '<%= config.bin %> <%= command.id %> ctr_0197f1c2 --count 10 | jq .price.executableYesCents',
  ];
  static override ids = { contract: 'contract' } as const;
  static override args = {
    contract: Args.string({ required: true, multiple: true, description: 'Contract ids, or ids or slugs of events.' }),
  };
  static override flags = {
    count: Flags.integer({
      helpValue: 'N',
      min: 1,
      summary: 'Number of updates after which the command ends; by default it goes on.',
    }),
  };

  async run(): Promise<void> {
    const labels = await this.readLabels();
    const updates = watchPrices(this.apiUrl, [...labels.keys()], (seconds) =>
      this.note(`The stream was interrupted; reconnecting in ${seconds} s.`),
    );
    const isLive = process.stdout.isTTY === true && !this.jsonEnabled() && this.flags.count === undefined;
    if (isLive) {
      await showTable(updates, labels);
    } else {
      await this.printLines(updates);
    }
  }

  /** The contracts to watch, with their titles. */
  private async readLabels(): Promise<Map<string, string>> {
    const labels = new Map<string, string>();
    for (const name of this.args.contract) {
      if (name.startsWith('ctr_')) {
        labels.set(name, name);
        continue;
      }
      const eventId = await this.completeId('event', name);
      const { data } = await this.client.get('/api/v1/events/{id}', { path: { id: eventId } });
      for (const { id, label } of data.outcomes) {
        labels.set(id, label);
      }
    }
    const names = await this.marketNames([...labels.keys()]);
    for (const [id, label] of labels) {
      labels.set(id, label === id ? (names.get(id) ?? label) : label);
    }
    return labels;
  }

  private async printLines(updates: AsyncIterable<PriceUpdate>): Promise<void> {
    let printed = 0;
    for await (const update of updates) {
      process.stdout.write(`${toJson(update, 0)}\n`);
      printed += 1;
      if (printed === this.flags.count) {
        return;
      }
    }
  }
}

async function showTable(updates: AsyncIterable<PriceUpdate>, labels: ReadonlyMap<string, string>): Promise<void> {
  const rows = new Map<string, PriceRow>(
    [...labels].map(([contractId, label]) => [contractId, { contractId, label, price: null, move: 0 }]),
  );
  const { openPriceTable } = await import('../../cli/terminal/price-table.ts');
  const table = openPriceTable();
  let seen = 0;
  try {
    for await (const update of updates) {
      if (update.event !== 'unknown') {
        const { price } = update;
        const row = rows.get(price.contractId);
        const move = (price.probability ?? 0) - (row?.price?.probability ?? price.probability ?? 0);
        rows.set(price.contractId, { contractId: price.contractId, label: row?.label ?? '', price, move });
        seen += 1;
      }
      table.show([...rows.values()], `${seen} updates. Ctrl-C ends.`);
    }
  } finally {
    table.close();
  }
}
