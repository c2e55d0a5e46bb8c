/** The pages of the site, in reading order. What is for the people who run or change the service is not among them. */
import { TAGS } from '../../src/server/openapi/openapi.ts';
import { CLI_GROUPS } from './cli.ts';

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
    'Find a market, get a price, place an order and settle it, in five requests.',
  ),
  document(
    'guides/embed',
    'Embed the frame',
    'Put markets, order ticket and positions into your page with one frame and one message.',
  ),
  document('guides/webhooks', 'Receive webhooks', 'Verify a signature, and book nothing twice.'),
  document(
    'guides/reconciliation',
    'Reconcile your ledger',
    'Rebuild every balance from the feed, and compare it with ours.',
  ),
  document(
    'guides/sandbox-scenarios',
    'Test with scenarios',
    'Make the sandbox fill half, reject, settle as won or lost.',
  ),
  document('guides/access-and-limits', 'Access and limits', 'Who a request acts for, and how many a minute are taken.'),
  document('guides/errors', 'Handle errors', 'What each refusal means, and what to do next.'),
  document('guides/going-live', 'Go live', 'What changes with a live key, and the list to check before it.'),
];

const DETAILS: readonly DocumentPage[] = [
  document('partners', 'The typed client', 'Calls, errors and the feed reader of inlay/client.'),
  document('catalogue', 'Catalogue and prices', 'Lists, cursors, pictures and the price stream in detail.'),
  document('frame', 'The frame', 'Messages, presentation, states and security of the frame.'),
  document('sandbox', 'The sandbox', 'Test money, resolutions and scenario files in detail.'),
];

export const CHANGES: DocumentPage = {
  file: '../CHANGELOG.md',
  address: '/docs/changelog',
  label: 'Changes',
  summary: 'What changed in the API, the webhooks and the frame.',
};

export const DOCUMENTS: readonly DocumentPage[] = [...GUIDES, ...DETAILS, CHANGES];

export const REFERENCE_PAGES: readonly ReferencePage[] = TAGS.map(({ tag, label, summary }) => ({
  tag,
  label,
  summary,
  address: `/docs/reference/${tag.toLowerCase().replaceAll(' ', '-')}`,
}));

export const FIRST_PAGE: SitePage = { address: '/docs', label: 'Overview', summary: '' };

export const SECTIONS: readonly Section[] = [
  { title: 'Guides', pages: GUIDES },
  { title: 'In detail', pages: DETAILS },
  { title: 'Reference', pages: REFERENCE_PAGES },
  { title: 'Command line', pages: CLI_GROUPS },
  { title: 'Changes', pages: [CHANGES] },
];
