/** The pages of the reference: one for each tag of the OpenAPI document, with all its operations. */
import type { SitePage } from '../site-page.ts';

export interface ReferencePage extends SitePage {
  readonly tag: string;
}

/** Label and summary of each tag, in reading order. A test compares the tags with those of the document. */
const TAGS: Readonly<Record<string, readonly [label: string, summary: string]>> = {
  Catalogue: ['Catalogue', 'Events, contracts, categories, order books, price history, pictures, the price stream.'],
  Trading: ['Quotes and orders', 'Quote a price, place an order, confirm its reserve, cancel it, look it up.'],
  Positions: ['Positions', 'What each customer holds, and what it cost.'],
  Reconciliation: ['Reconciliation', 'The feed, the settlements register, the report, exports, collateral, proofs.'],
  Customers: ['Customers', 'Limits and jurisdiction of one customer.'],
  'Embed sessions': ['Embed sessions', 'Mint and end the sessions of the frame.'],
  Sandbox: ['Sandbox', 'Test money, scripted fills and resolutions; sandbox keys only.'],
  Webhooks: ['Webhook events', 'The seven events, their headers and their fields.'],
  'Embed frame': ['The frame’s own calls', 'What the frame calls with the token of its session.'],
  Access: ['Access', 'What a key may do.'],
  Service: ['Service', 'Whether the service is well.'],
};

export const REFERENCE_PAGES: readonly ReferencePage[] = Object.entries(TAGS).map(([tag, [label, summary]]) => ({
  tag,
  address: `/docs/reference/${tag.toLowerCase().replaceAll(' ', '-')}`,
  label,
  summary,
}));
