/** `/llms.txt` (llmstxt.org): an index of the pages as Markdown, by kind of reader, for programs that read documentation. */
import { INDEX, markdownAddress, withOwnAddress } from './as-markdown.ts';
import { SECTIONS } from './site-map.ts';

interface Reader {
  readonly title: string;
  /** Names of pages, below `/docs/`. */
  readonly pages: readonly string[];
}

/** A page is listed for its first readers; the rest follows under the title of its section. */
const READERS: readonly Reader[] = [
  {
    title: 'For an engineer who integrates',
    pages: [
      'guides/first-trade',
      'guides/conventions',
      'guides/errors',
      'guides/webhooks',
      'guides/embed',
      'guides/catalogue',
      'guides/sandbox-scenarios',
      'downloads',
      'guides/client',
      'guides/python',
    ],
  },
  { title: 'For finance', pages: ['guides/reconciliation', 'reference/reconciliation', 'cli/reconciliation'] },
  { title: 'For support', pages: ['reference/trading', 'reference/positions', 'cli/trading', 'cli/customers'] },
  {
    title: 'For security and operations',
    pages: ['guides/production', 'guides/going-live', 'guides/access-and-limits'],
  },
];

const AGENTS = `## For agents

- The [OpenAPI 3.1 document](/openapi.json) has every call and every webhook. Each page of the documentation has its Markdown at its own address with \`.md\`.
- The [command line](/docs/downloads.md#the-command-line) needs only a key (\`INLAY_API_URL\`, \`INLAY_API_KEY\`). \`--json\` prints one JSON document on the standard output and nothing else. \`--yes\` confirms a command that asks.
- Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 not found, 4 not authorised, 5 an expectation was not met, 6 the outcome of an order is unknown (keep the reserve, never repeat the order under another \`clientOrderId\`), 7 rate limited.
- Branch on the code in \`error\`, never on \`message\`. Send an order without a known result again with the same \`clientOrderId\`.
- Use a sandbox key, which begins with \`pk_test_\`. A key that begins with \`sk_live_\` trades with real money.`;

/** @param summary one sentence about the service */
export function indexForPrograms(summary: string): string {
  const pages = new Map(SECTIONS.flatMap((section) => section.pages).map((page) => [page.address, page]));
  const list = (title: string, addresses: readonly string[]) => {
    const lines = addresses.map((address) => {
      const page = pages.get(address);
      if (page === undefined) {
        throw new Error(`${INDEX} lists ${address}, which is no page.`);
      }
      return `- [${page.label}](${markdownAddress(address)}): ${page.summary}`;
    });
    return lines.length === 0 ? [] : [`## ${title}\n\n${lines.join('\n')}`];
  };
  const readers = READERS.map((reader) => ({ ...reader, addresses: reader.pages.map((name) => `/docs/${name}`) }));
  const listed = new Set(readers.flatMap(({ addresses }) => addresses));
  return withOwnAddress(
    `${[
      `# Inlay\n\n> ${summary}`,
      AGENTS,
      ...readers.flatMap(({ title, addresses }) => list(title, addresses)),
      ...SECTIONS.flatMap((section) =>
        list(
          section.title,
          section.pages.map(({ address }) => address).filter((address) => !listed.has(address)),
        ),
      ),
    ].join('\n\n')}\n`,
  );
}
