/**
 * Lists over the API. `partnerList` makes the command from what the list is: the flags by which a person chooses a page, the requests
 * that read it, and the table, the CSV or the JSON that is printed.
 */
import { type Command, Flags, type Interfaces } from '@oclif/core';
import type { InlayClient } from '../client/create-client.ts';
import { type CommandHead, exampleOf } from './base-command.ts';
import { PartnerCommand } from './partner-command.ts';
import type { MarketNames } from './service/market-names.ts';
import { type Column, listFlags } from './terminal/table.ts';

/** Its flags are those beside `--output` and those of the page. */
interface PartnerList<
  A extends Interfaces.ArgInput,
  F extends Interfaces.FlagInput,
  Items extends string,
  Row extends object,
> extends CommandHead<A, F> {
  /** Rows on a page if `--limit` is not given. */
  readonly pageSize: number;
  /** Rows that the API returns for one request. */
  readonly largestPage?: number;
  /** Reads one page from the API. */
  readonly read: (asked: {
    readonly client: InlayClient;
    readonly args: Interfaces.InferredArgs<A>;
    readonly flags: Interfaces.InferredFlags<F>;
    readonly page: PageQuery;
  }) => Promise<PageOf<Items, Row>>;
  /** Field of the answer that has the rows. */
  readonly items: Items;
  /** @param names of the markets of the rows, if a table is printed */
  readonly columns: (names: MarketNames) => readonly Column<Row>[];
  /** Printed in place of an empty table. */
  readonly none: string;
}

/** @returns the command, which returns the answer of the API with all rows of the page as its document of `--json` */
export function partnerList<
  const Items extends string,
  Row extends object,
  A extends Interfaces.ArgInput = Record<never, never>,
  F extends Interfaces.FlagInput = Record<never, never>,
>(list: PartnerList<A, F, Items, Row>): typeof Command {
  return class extends PartnerCommand<typeof Command> {
    static override summary = list.summary;
    static override description = list.description;
    static override examples = list.examples.map(exampleOf);
    static override hiddenAliases = list.hiddenAliases ?? [];
    static override hidden = list.hidden ?? false;
    static override ids = list.ids ?? {};
    static override args = list.args ?? {};
    static override flags = { ...listFlags, ...list.flags, ...pageFlags(list.pageSize) };

    async run(): Promise<Page> {
      const { client } = this;
      const args = this.args as Interfaces.InferredArgs<A>;
      const flags = this.flags as Interfaces.InferredFlags<F>;
      const choice: PageChoice = this.flags as Interfaces.InferredFlags<ReturnType<typeof pageFlags>>;
      const answer = await readPages<Items, Row>(
        list.items,
        choice,
        (page) => this.read(() => list.read({ client, args, flags, page })),
        list.largestPage,
      );
      const rows = answer[list.items];
      const names = await this.namesIn(this.flags['output'] === 'table' ? rows : []);
      await this.printList(rows, list.columns(names), list.none);
      if (!this.jsonEnabled() && answer.hasMore && answer.nextCursor !== null) {
        this.note(nextPage(choice, answer.nextCursor));
      }
      return answer;
    }
  };
}

/** @param size default of `--limit`, in rows. @param most largest value of `--limit` */
export const pageFlags = (size: number, most = Number.MAX_SAFE_INTEGER) => ({
  limit: Flags.integer({ helpValue: 'N', default: size, min: 1, max: most, summary: 'Rows on a page.' }),
  page: Flags.integer({
    helpValue: 'N',
    min: 1,
    exclusive: ['all', 'cursor'],
    summary: 'Number of the page; by default the first.',
  }),
  all: Flags.boolean({ default: false, summary: 'List all pages.' }),
  cursor: Flags.string({
    helpValue: 'CURSOR',
    summary: 'Cursor of an earlier page; the list continues after it, even if rows were added since.',
  }),
});

interface PageChoice {
  readonly limit: number;
  readonly page?: number | undefined;
  readonly all: boolean;
  readonly cursor?: string | undefined;
}

interface PageQuery {
  readonly limit: number;
  readonly cursor: string | undefined;
}

interface Page {
  readonly nextCursor: string | null;
  readonly hasMore: boolean;
  readonly count: number;
}

type PageOf<Items extends string, Row> = Page & Readonly<Record<Items, readonly Row[]>>;

const LARGEST_PAGE = 200;

/**
 * Reads the chosen page, or all of them, with as many requests as that takes.
 * @param name field of the answer that holds the items
 * @param largest number of items that the API returns for one request
 * @returns the last answer, with all the items of the page under `name`
 */
async function readPages<Items extends string, Row>(
  name: Items,
  { limit, page = 1, all, cursor }: PageChoice,
  read: (query: PageQuery) => Promise<PageOf<Items, Row>>,
  largest = LARGEST_PAGE,
): Promise<PageOf<Items, Row>> {
  const items: Row[] = [];
  const skipped = (page - 1) * limit;
  const wanted = all ? Number.POSITIVE_INFINITY : skipped + limit;
  let next = cursor;
  for (;;) {
    const answer = await read({ limit: Math.min(largest, wanted - items.length), cursor: next });
    items.push(...answer[name]);
    if (!answer.hasMore || answer.nextCursor === null || items.length >= wanted) {
      const shown = items.slice(skipped);
      return { ...answer, [name]: shown, count: shown.length };
    }
    next = answer.nextCursor;
  }
}

/** @param next cursor of the next page. @returns a line for a person: how to get the page after this one */
export function nextPage({ page = 1, cursor }: Pick<PageChoice, 'page' | 'cursor'>, next: string): string {
  return cursor === undefined ? `The next page: --page ${page + 1}` : `The next page:\n--cursor ${next}`;
}
