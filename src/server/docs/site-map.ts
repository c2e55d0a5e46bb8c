/** The pages of the site that are documents: each is a Markdown file of the repository, at one address, in one order. */
import { REFERENCE_PAGES } from './reference/reference-pages.ts';
import type { SitePage } from './site-page.ts';

export interface DocumentPage extends SitePage {
  /** Path in the repository, below `docs/`. */
  readonly file: string;
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
  document('webhooks', 'Webhook delivery', 'Retries, order, destinations and signatures in detail.'),
  document('frame', 'The frame', 'Messages, presentation, security and size of the frame.'),
  document('sandbox', 'The sandbox', 'Test money, resolutions and scenario files in detail.'),
  document('cli', 'The command line', 'Every command with its flags, examples and exit codes.'),
  document('glossary', 'Glossary', 'The words of the API.'),
];

const FINANCE: readonly DocumentPage[] = [
  document('ledger', 'The ledger', 'Accounts, entries, revenue, the report, exports and proofs.'),
  document('finance', 'Closing the books', 'Statements, revenue, periods, approvals, and the statements of a bank.'),
];

export const DOCUMENTS: readonly DocumentPage[] = [...GUIDES, ...DETAILS, ...FINANCE];

export const FIRST_PAGE = '/docs';

/** All pages in reading order. */
export const SECTIONS: readonly Section[] = [
  { title: 'Guides', pages: GUIDES },
  { title: 'In detail', pages: DETAILS },
  { title: 'Finance', pages: FINANCE },
  { title: 'Reference', pages: REFERENCE_PAGES },
];
