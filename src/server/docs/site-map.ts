/** The pages of the site that are documents: each is a Markdown file of the repository, at one address, in one order. */
import { REFERENCE_PAGES } from './reference/reference-pages.ts';

export interface DocumentPage {
  /** Path in the repository, below `docs/`. */
  readonly file: string;
  readonly address: string;
  /** In the list of pages. */
  readonly label: string;
  /** One sentence, on the first page. */
  readonly summary: string;
}

export interface Section {
  readonly title: string;
  readonly pages: readonly { readonly address: string; readonly label: string; readonly summary: string }[];
}

const guide = (name: string, label: string, summary: string): DocumentPage => ({
  file: `guides/${name}.md`,
  address: `/docs/guides/${name}`,
  label,
  summary,
});
const document = (name: string, label: string, summary: string): DocumentPage => ({
  file: `${name}.md`,
  address: `/docs/${name}`,
  label,
  summary,
});

export const GUIDES: readonly DocumentPage[] = [
  guide(
    'first-trade',
    'Your first trade',
    'Find a market, get a price, place an order and settle it, in five requests.',
  ),
  guide(
    'embed',
    'Embed the frame',
    'Put markets, order ticket and positions into your page with one frame and one message.',
  ),
  guide('webhooks', 'Receive webhooks', 'Verify a signature, and book nothing twice.'),
  guide('reconciliation', 'Reconcile your ledger', 'Rebuild every balance from the feed, and compare it with ours.'),
  guide('sandbox-scenarios', 'Test with scenarios', 'Make the sandbox fill half, reject, settle as won or lost.'),
  guide('errors', 'Handle errors', 'What each refusal means, and what to do next.'),
  guide('going-live', 'Go live', 'What changes with a live key, and the list to check before it.'),
];

export const DOCUMENTS: readonly DocumentPage[] = [
  document('partners', 'The typed client', 'Calls, errors and the feed reader of inlay/client.'),
  document('catalogue', 'Catalogue and prices', 'Lists, cursors, pictures and the price stream in detail.'),
  document('webhooks', 'Webhook delivery', 'Retries, order, destinations and signatures in detail.'),
  document('frame', 'The frame', 'Messages, presentation, security and size of the frame.'),
  document('sandbox', 'The sandbox', 'Test money, resolutions and scenario files in detail.'),
  document('glossary', 'Glossary', 'The words of the API.'),
];

export const FIRST_PAGE = '/docs';

/** All pages in reading order. */
export const SECTIONS: readonly Section[] = [
  { title: 'Guides', pages: GUIDES },
  { title: 'In detail', pages: DOCUMENTS },
  { title: 'Reference', pages: REFERENCE_PAGES },
];
