/** The pages of the site, in reading order. Documents for the people who run or change the service are not among them. */
import { TAGS } from '../../src/server/openapi/openapi.ts';

/** A page as the list of pages and the first page show it. */
export interface SitePage {
  readonly address: string;
  /** In the list of pages. */
  readonly label: string;
  /** One sentence, on the first page. */
  readonly summary: string;
}

export interface DocumentPage extends SitePage {
  /** The Markdown file, below `docs/`. */
  readonly file: string;
  /** Only these numbered chapters of the file, without what is before the first; by default the whole file. */
  readonly chapters?: ReadonlySet<number>;
}

export interface ReferencePage extends SitePage {
  readonly tag: string;
}

export interface Section {
  readonly title: string;
  readonly pages: readonly SitePage[];
}

/** @param name path of the document below `docs/`, without its ending; the page has the same */
const document = (name: string, label: string, summary: string): DocumentPage => ({
  file: `${name}.md`,
  address: `/docs/${name}`,
  label,
  summary,
});

const GUIDES: readonly DocumentPage[] = [
  document(
    'guides/first-trade',
    'Your first trade',
    'Find a market, get a price, place an order and settle it, in five steps.',
  ),
  document(
    'guides/embed',
    'Embed the frame',
    'Put markets, order ticket and positions into your page with one element and one message.',
  ),
  document('guides/webhooks', 'Receive webhooks', 'Verify signatures, and book nothing twice.'),
  document(
    'guides/reconciliation',
    'Reconcile your ledger',
    'Rebuild every balance from the feed, and compare it with the service.',
  ),
  document(
    'guides/sandbox-scenarios',
    'Test with scenarios',
    'Make the sandbox fill in part, refuse, and settle as won, lost or void.',
  ),
  document(
    'guides/conventions',
    'Conventions',
    'Idempotency, pagination, money and rounding, versions, request ids and retries: the same for every call.',
  ),
  document(
    'guides/access-and-limits',
    'Access and limits',
    'The operator for which a request acts, and the limits on requests.',
  ),
  document('guides/errors', 'Handle errors', 'The meaning of each refusal, and the next step.'),
  document(
    'guides/catalogue',
    'Catalogue and prices',
    'Lists, cursors, ranking, results and the price stream in detail.',
  ),
  document('guides/client', 'The typed client', 'Calls, errors and the feed reader of inlay/client.'),
  document('guides/python', 'The Python client', 'Calls, retries, webhooks and the feed reader of inlay.py.'),
  document('guides/going-live', 'Go live', 'The changes with a live key, and the list to check before it.'),
  document(
    'guides/production',
    'Production facts',
    'Addresses, Content-Security-Policy, retention, the data of your customers, and whom to ask.',
  ),
];

/** Chapters about venues, commands and settings are for the people who run or change the service. */
const CONTRACT_CHAPTERS = new Set([
  ...Array.from({ length: 17 }, (_, index) => index + 1),
  ...[20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32],
  ...[34, 35, 36, 37, 42],
]);

export const CONTRACT: DocumentPage = {
  ...document(
    'contract',
    'The contract',
    'Every rule that the service keeps, by number. Amounts of money are written in dollars, such as 10.00.',
  ),
  chapters: CONTRACT_CHAPTERS,
};

export const CHANGES: DocumentPage = {
  file: '../CHANGELOG.md',
  address: '/docs/changelog',
  label: 'Changes',
  summary: 'Changes of the API, the webhooks and the frame.',
};

export const DOCUMENTS: readonly DocumentPage[] = [...GUIDES, CONTRACT, CHANGES];

export const REFERENCE_PAGES: readonly ReferencePage[] = TAGS.map(({ tag, label, summary }) => ({
  tag,
  label,
  summary,
  address: `/docs/reference/${tag.toLowerCase().replaceAll(' ', '-')}`,
}));

/** What every operation has is described once. */
export const COMMON_PAGE: SitePage = {
  address: '/docs/reference/common',
  label: 'Common to all calls',
  summary: 'The header of aggregators, the headers of responses, and the errors that every call can return.',
};

/** A page of the command line: the commands of these topics. */
export interface CliGroup extends SitePage {
  readonly topics: readonly string[];
}

const group = (name: string, label: string, summary: string, topics: readonly string[]): CliGroup => ({
  address: `/docs/cli/${name}`,
  label,
  summary,
  topics,
});

export const CLI_GROUPS: readonly CliGroup[] = [
  group('start', 'Connect', 'Store a key, and see its scopes and limits.', [
    'login',
    'logout',
    'profiles',
    'whoami',
    'api',
    'open',
  ]),
  group('catalogue', 'Events and prices', 'Browse events and watch prices.', ['categories', 'events', 'prices']),
  group('trading', 'Orders and positions', 'Quote, buy, sell, and look up an order.', [
    'quote',
    'buy',
    'sell',
    'order',
    'orders',
    'positions',
  ]),
  group('customers', 'Customers and sessions', 'Limits and jurisdiction of a customer, and sessions of the frame.', [
    'limits',
    'jurisdiction',
    'embed-sessions',
  ]),
  group('reconciliation', 'Money', 'The feed, settlements, the report, exports, comparisons and statements.', [
    'feed',
    'settlements',
    'reconciliation',
    'periods',
  ]),
  group('testing', 'Testing', 'Scripted outcomes, scenario files, a webhook receiver, and checks of your own books.', [
    'sandbox',
    'conformance',
    'webhooks',
  ]),
];

export const DOWNLOADS: SitePage = {
  address: '/docs/downloads',
  label: 'Tools and SDKs',
  summary:
    'Clients for Python and Node, the command line, an example operator and scenario files, to download from here.',
};

export const FIRST_PAGE: SitePage = { address: '/docs', label: 'Overview', summary: '' };

export const SECTIONS: readonly Section[] = [
  { title: 'Guides', pages: GUIDES },
  { title: 'Reference', pages: [COMMON_PAGE, ...REFERENCE_PAGES, CONTRACT] },
  { title: 'Tools', pages: [DOWNLOADS] },
  { title: 'Command line', pages: CLI_GROUPS },
  { title: 'Changes', pages: [CHANGES] },
];
