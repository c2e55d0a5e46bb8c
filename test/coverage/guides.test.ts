/** What the guides tell a partner to do is what the contract says. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const guide = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../docs/guides/${name}.md`, import.meta.url)), 'utf8');
/** Rows of all tables, by their first cell. */
const rows = (text: string) =>
  new Map([...text.matchAll(/^\| ([^|]+) \| (.+) \|$/gm)].map(([, first = '', rest = '']) => [first, rest]));

// contract 36.3, contract 10.6
test('after a price that moved the key is used: release, a new quote, a new clientOrderId', () => {
  const answers = rows(guide('errors'));
  const moved = answers.get('409 `price_moved`');
  expect(moved).toContain('its `clientOrderId` is used');
  expect(moved).toContain('release the reserve');
  expect(moved).toContain('under a new `clientOrderId`');
  const free = answers.get('409 `quote_expired`, `price_stale`, `price_unverified`, `line_not_available`');
  expect(free).toContain('the `clientOrderId` is still free');
  expect(free).toContain('never resend the same body');
});

// contract 10.17
test('after 500, 503 and no answer the same body is sent again; after an unknown result the order is polled', () => {
  const answers = rows(guide('errors'));
  expect(answers.get('no response, or 500 or 503')).toContain('send the same body with the same `clientOrderId`');
  expect(answers.get('409 `reconciliation_required`')).toContain('hold the authorization');
  expect(answers.get('any other refusal')).toContain('look up the `clientOrderId`');
});

// contract 3.9
test('the catalogue says which prices are null, and when', () => {
  expect(guide('catalogue')).toContain(
    '`probability`, `yesCents` and `noCents` are null if there is no price at all (`priceBasis` `none`)',
  );
});

// contract 34.9, contract 35.6
test('access and limits has the header of aggregators and those of rates', () => {
  const headers = rows(guide('access-and-limits'));
  for (const header of ['x-service-operator', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']) {
    expect(headers.get(`\`${header}\``), header).toBeDefined();
  }
});

// contract 12.16, contract 12.17, contract 12.18
test('going live has both tables of what the states mean for the books', () => {
  const text = guide('going-live');
  const states = rows(text);
  for (const status of ['filled', 'partially_filled', 'rejected', 'reserve_pending', 'pending_venue_execution']) {
    expect(
      [...states.keys()].some((first) => first.includes(`\`${status}\``)),
      status,
    ).toBe(true);
  }
  for (const state of ['not_transmitted', 'unknown', 'resolved']) {
    expect(states.get(`\`${state}\``), state).toBeDefined();
  }
  expect(text).toContain('final when `transmissionState` is `resolved` and `settlementState` is `settled`');
});
