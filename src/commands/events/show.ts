/** `events show`: one event with all its outcomes. */
import { Args, Flags } from '@oclif/core';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { cents, percent, statusText } from '../../cli/terminal/facts.ts';
import { type Column, listFlags } from '../../cli/terminal/table.ts';
import type { EventDetail, Outcome } from '../../client/shapes.ts';

const COLUMNS: readonly Column<Outcome>[] = [
  { name: 'id', title: 'contract', value: ({ id }) => id },
  { name: 'label', value: ({ label }) => label },
  {
    name: 'probability',
    title: 'prob.',
    align: 'right',
    value: ({ probability }) => percent(probability),
    raw: ({ probability }) => probability,
  },
  {
    name: 'executableYesCents',
    title: 'YES',
    align: 'right',
    value: (outcome) => cents(outcome.executableYesCents),
    raw: (outcome) => outcome.executableYesCents,
  },
  {
    name: 'executableNoCents',
    title: 'NO',
    align: 'right',
    value: (outcome) => cents(outcome.executableNoCents),
    raw: (outcome) => outcome.executableNoCents,
  },
  {
    name: 'spreadCents',
    title: 'spread',
    align: 'right',
    value: ({ spreadCents }) => cents(spreadCents),
    raw: ({ spreadCents }) => spreadCents,
  },
  {
    name: 'volume24hContracts',
    title: 'volume 24 h',
    align: 'right',
    value: ({ volume24hContracts }) => Math.round(volume24hContracts),
    raw: ({ volume24hContracts }) => volume24hContracts,
  },
  { name: 'threshold', value: ({ threshold }) => threshold, csvOnly: true },
  { name: 'direction', value: ({ direction }) => direction, csvOnly: true },
  {
    name: 'status',
    value: ({ status, resolution, probability }) => statusText(status, resolution, probability),
    raw: ({ status }) => status,
  },
  { name: 'resolution', value: ({ resolution }) => resolution, csvOnly: true },
];

export default class Show extends PartnerCommand<typeof Show> {
  static override summary = 'Show an event and all its outcomes.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> evt_0197f1c2',
    '<%= config.bin %> <%= command.id %> a-slug --locale es',
  ];
  static override ids = { event: 'event' } as const;
  static override args = {
    event: Args.string({ required: true, description: 'Event id, as a table shows it, or slug.' }),
  };
  static override flags = {
    ...listFlags,
    locale: Flags.string({ helpValue: 'LOCALE', summary: 'Language of the titles: en, es, pt or hr.' }),
  };

  async run(): Promise<EventDetail> {
    const detail = await this.client.get('/api/v1/events/{id}', {
      path: { id: this.args.event },
      query: { locale: this.flags.locale },
    });
    const event = detail.data;
    if (this.flags.output !== 'csv') {
      this.say(this.paint('bold', event.title));
      this.printFacts({
        id: event.id,
        slug: event.slug,
        ...(event.subtitle === null ? {} : { subtitle: event.subtitle }),
        category: event.categories,
        kind: event.kind,
        ...(event.impliedLevelLabel === null ? {} : { implied: event.impliedLevelLabel }),
        status: event.status,
        closes: event.closesAt,
      });
      this.say();
    }
    await this.printList(event.outcomes, COLUMNS);
    return detail;
  }
}
