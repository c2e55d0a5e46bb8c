/** `events list`: browse the catalogue. */
import { Flags } from '@oclif/core';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { nextPage, pageFlags } from '../../cli/partner-list.ts';
import { cents, percent } from '../../cli/terminal/facts.ts';
import { type Column, listFlags } from '../../cli/terminal/table.ts';
import { momentFlag } from '../../cli/times.ts';
import type { CatalogueEvent, EventList, Outcome } from '../../client/shapes.ts';

const LARGEST_PAGE = 100;
/** Letters by which the markets of one game, or the questions about one election, can be distinguished. */
const LEAST_TITLE = 32;

const COLUMNS: readonly Column<CatalogueEvent>[] = [
  { name: 'id', title: 'event', rank: 0, value: ({ id }) => id },
  { name: 'slug', value: ({ slug }) => slug, csvOnly: true },
  { name: 'title', value: ({ title }) => title, elastic: LEAST_TITLE, rank: 1 },
  { name: 'category', value: ({ category }) => category, rank: 7 },
  { name: 'kind', value: ({ kind }) => kind, csvOnly: true },
  { name: 'outcomeCount', title: 'outcomes', align: 'right', rank: 8, value: ({ outcomeCount }) => outcomeCount },
  { name: 'leader.label', title: 'leading', elastic: true, rank: 2, value: (event) => leaderOf(event)?.label },
  {
    name: 'leader.probability',
    title: 'prob.',
    align: 'right',
    rank: 3,
    value: (event) => leaderOf(event)?.resolution ?? percent(leaderOf(event)?.probability ?? null),
    raw: (event) => leaderOf(event)?.probability,
  },
  { name: 'leader.resolution', value: (event) => leaderOf(event)?.resolution, csvOnly: true },
  {
    name: 'leader.executableYesCents',
    title: 'YES',
    align: 'right',
    rank: 4,
    value: (event) => cents(leaderOf(event)?.executableYesCents ?? null),
    raw: (event) => leaderOf(event)?.executableYesCents,
  },
  {
    name: 'volume24hContracts',
    title: 'volume 24 h',
    align: 'right',
    rank: 5,
    value: ({ volume24hContracts }) => Math.round(volume24hContracts),
    raw: ({ volume24hContracts }) => volume24hContracts,
  },
  {
    name: 'closesAt',
    rank: 6,
    value: ({ closesAt }) => closesAt.replace(/:\d\d(\.\d+)?Z$/, 'Z'),
    raw: ({ closesAt }) => closesAt,
  },
  { name: 'status', value: ({ status }) => status, csvOnly: true },
];

export default class List extends PartnerCommand<typeof List> {
  static override summary = 'List events of the catalogue.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --category crypto --sort closing-soon',
    '<%= config.bin %> <%= command.id %> --search "world cup" --tradable --json',
  ];
  static override flags = {
    ...listFlags,
    category: Flags.string({ helpValue: 'CATEGORY', summary: 'Category, from "inlay categories".' }),
    sport: Flags.string({ helpValue: 'SPORT', summary: 'Slug of a sport, or of a family of sports.' }),
    league: Flags.string({ helpValue: 'LEAGUE', summary: 'Slug of a league.' }),
    search: Flags.string({ helpValue: 'WORDS', summary: 'Words to find in title, subtitle or outcomes.' }),
    sort: Flags.option({
      options: ['trending', 'volume', 'closing-soon', 'new'] as const,
      summary: 'Ordering; by default trending.',
    })(),
    dir: Flags.option({
      options: ['asc', 'desc'] as const,
      summary: 'Direction of the ordering; by default that of --sort.',
    })(),
    locale: Flags.string({ helpValue: 'LOCALE', summary: 'Language of the titles: en, es, pt or hr.' }),
    tradable: Flags.boolean({ summary: 'Only events with a price that can be traded now.' }),
    'closes-after': momentFlag({ summary: 'Only events that close after this time; ISO-8601.' }),
    'closes-before': momentFlag({ summary: 'Only events that close before this time; ISO-8601.' }),
    ...pageFlags(25, LARGEST_PAGE),
    user: Flags.string({ helpValue: 'USER', summary: 'Your own id of the customer who views the list.' }),
  };

  async run(): Promise<EventList> {
    const list = this.flags.all ? await this.#readAll() : await this.#readOne();
    await this.printList(list.data, COLUMNS, 'No events.');
    const { total, nextCursor } = list.pagination;
    if (!this.jsonEnabled() && nextCursor !== null) {
      this.note(`${list.data.length} of ${total}. ${nextPage(this.flags, nextCursor)}`);
    }
    return list;
  }

  async #readOne(): Promise<EventList> {
    const { limit, page = 1 } = this.flags;
    let list = await this.#readPage(limit, this.flags.cursor);
    for (let read = 1; read < page; read += 1) {
      if (list.pagination.nextCursor === null) {
        return { ...list, data: [] };
      }
      list = await this.#readPage(limit, list.pagination.nextCursor);
    }
    return list;
  }

  #readPage(limit: number, cursor: string | undefined): Promise<EventList> {
    const { flags } = this;
    return this.read(() =>
      this.client.get('/api/v1/events', {
        user: flags.user,
        query: {
          category: flags.category,
          sport: flags.sport,
          league: flags.league,
          search: flags.search,
          sort: flags.sort,
          dir: flags.dir,
          limit,
          locale: flags.locale,
          tradable: flags.tradable === true ? true : undefined,
          closesAfter: flags['closes-after'],
          closesBefore: flags['closes-before'],
          cursor,
        },
      }),
    );
  }

  async #readAll(): Promise<EventList> {
    const data: CatalogueEvent[] = [];
    for (let cursor = this.flags.cursor; ; ) {
      const page = await this.#readPage(LARGEST_PAGE, cursor);
      data.push(...page.data);
      if (page.pagination.nextCursor === null) {
        return { ...page, data };
      }
      cursor = page.pagination.nextCursor;
    }
  }
}

/**
 * The most probable outcome; the first one if none has a price. A decided line of a ladder does not count as leading while
 * others are open.
 */
function leaderOf({ kind, outcomes }: CatalogueEvent): Outcome | undefined {
  const undecided = kind === 'mutually_exclusive' ? [] : outcomes.filter(({ resolution }) => resolution === undefined);
  return (undecided.length > 0 ? undecided : outcomes).reduce<Outcome | undefined>(
    (leader, outcome) =>
      leader === undefined || (outcome.probability ?? -1) > (leader.probability ?? -1) ? outcome : leader,
    undefined,
  );
}
