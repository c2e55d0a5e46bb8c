/** The pages of the reference: one for each tag of the OpenAPI document, with all its operations. */
export interface ReferencePage {
  readonly tag: string;
  readonly address: string;
  readonly label: string;
  readonly summary: string;
}

const page = (tag: string, label: string, summary: string): ReferencePage => ({
  tag,
  address: `/docs/reference/${tag.toLowerCase().replaceAll(' ', '-')}`,
  label,
  summary,
});

/** A test compares the tags with those of the document. */
export const REFERENCE_PAGES: readonly ReferencePage[] = [
  page(
    'Catalogue',
    'Catalogue',
    'Events, contracts, categories, order books, price history, pictures, the price stream.',
  ),
  page('Trading', 'Quotes and orders', 'Quote a price, place an order, confirm its reserve, cancel it, look it up.'),
  page('Positions', 'Positions', 'What each customer holds, and what it cost.'),
  page(
    'Reconciliation',
    'Reconciliation',
    'The feed, the settlements register, the report, exports, collateral, proofs.',
  ),
  page('Customers', 'Customers', 'Limits and jurisdiction of one customer.'),
  page('Embed sessions', 'Embed sessions', 'Mint and end the sessions of the frame.'),
  page('Sandbox', 'Sandbox', 'Test money, scripted fills and resolutions; sandbox keys only.'),
  page('Webhooks', 'Webhook events', 'The seven events, their headers and their fields.'),
  page('Embed frame', 'The frame’s own calls', 'What the frame calls with the token of its session.'),
  page('Access', 'Access', 'What a key may do.'),
  page('Service', 'Service', 'Whether the service is well.'),
];
