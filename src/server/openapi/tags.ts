/** The tags of the OpenAPI document, in reading order; the reference has a page for each. */
interface Tag {
  readonly tag: string;
  readonly label: string;
  readonly summary: string;
}

const tag = (name: string, label: string, summary: string): Tag => ({ tag: name, label, summary });

export const TAGS: readonly Tag[] = [
  tag(
    'Catalogue',
    'Catalogue',
    'Events, contracts, categories, order books, price history, pictures, the price stream.',
  ),
  tag('Trading', 'Quotes and orders', 'Quote a price, place an order, confirm its reserve, cancel it, look it up.'),
  tag('Positions', 'Positions', 'What each customer holds, and what it cost.'),
  tag(
    'Reconciliation',
    'Reconciliation',
    'The feed, the settlements register, the report, exports, collateral, proofs.',
  ),
  tag('Customers', 'Customers', 'Limits and jurisdiction of one customer.'),
  tag('Embed sessions', 'Embed sessions', 'Mint and end the sessions of the frame.'),
  tag('Sandbox', 'Sandbox', 'Test money, scripted fills and resolutions; sandbox keys only.'),
  tag('Webhooks', 'Webhook events', 'The seven events, their headers and their fields.'),
  tag('Embed frame', 'The frame’s own calls', 'What the frame calls with the token of its session.'),
  tag('Access', 'Access', 'What a key may do.'),
  tag('Service', 'Service', 'Whether the service is well.'),
];
