/** No error code without a ready scenario file or a reason, no transition of an order without a file, and no file that does not show what is said. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ACTION_NAMES } from '../../src/cli/scenarios/scenario-file.ts';
import { projectRoot } from '../../src/core/environment.ts';
import { ERRORS } from '../../src/core/errors.ts';
import { scenarioScripts } from '../../tools/site/scenario-table.ts';

const FOLDER = join(projectRoot, 'fixtures/scenarios');
const page = readFileSync(join(projectRoot, 'docs/guides/sandbox-scenarios.md'), 'utf8');
const text = (script: string) => readFileSync(join(FOLDER, `${script}.yaml`), 'utf8');

/** Each row of the contract's state tables that a tester can cause, and the files that show it. */
const STATES: readonly (readonly [row: string, scripts: readonly string[]])[] = [
  ['none to `reserve_pending`', ['two-steps', 'live/two-steps']],
  ['none to `pending_venue_execution`, in one call', ['reserve-in-one-call', 'live/collateral']],
  ['none to `filled`, simulated', ['simulated-buy']],
  ['none to `rejected`, the book moved', ['operator/price-moved']],
  ['none to `partially_filled` or `cancelled`, simulated', ['partial-fill', 'nothing-fills']],
  ['`reserve_pending` to `pending_venue_execution`, twice', ['two-steps']],
  ['`reserve_pending` to `cancelled`', ['two-steps', 'funds']],
  ['`reserve_pending` has no other transition', ['operator/rehearsal']],
  ['`pending_venue_execution` to `cancelled`, asked for', ['two-steps', 'operator/deliveries']],
  ['`pending_venue_execution` to `cancelled`, cap breach', ['live/caps']],
  ['`pending_venue_execution` to `cancelled`, trading pause', ['live/withdrawn-by-pause', 'operator/rehearsal']],
  ['`pending_venue_execution` stays behind a gate', ['reserve-in-one-call', 'operator/rehearsal']],
  ['`pending_venue_execution` to `submitted` and on', ['live/two-steps', 'operator/rehearsal']],
  ['`submitted` to `partially_filled`, pending and unknown', ['live/fee-unknown']],
  ['`partially_filled` to `filled`', ['live/fee-unknown']],
  ['`partially_filled` stays, resolved, with a release', ['live/fills-in-part']],
  ['`submitted` to `filled`', ['live/fills-whole']],
  ['`submitted` to `rejected`', ['live/refused']],
  ['`submitted` stays, unknown; `reconciliation_required`', ['live/unknown', 'live/answer-lost']],
  ['`rejected` keeps its key', ['operator/price-moved', 'live/refused']],
  [
    '`not_transmitted` may be cancelled, `unknown` and `resolved` not',
    ['two-steps', 'live/fee-unknown', 'nothing-fills'],
  ],
  ['quote: spent once, expired', ['idempotency', 'quote-expiry']],
  ['position: opened, extended, reduced, closed, settled', ['exit', 'settlements']],
  ['resolution: once, and no other', ['settlements']],
  ['market halted, resolved, reopened', ['operator/market-withdrawn', 'live/settles']],
  ['scenario: armed, fired once, disarmed', ['scenario-controls', 'partial-fill']],
  ['every fact of an order in the feed, cursors', ['feed-of-an-order']],
  ['webhooks delivered: fill, intent, cancellation, settlement', ['operator/deliveries']],
];

/** Codes that no file shows, because a tester cannot cause them, or not within a minute. */
const UNREACHED: Readonly<Record<string, readonly string[]>> = {
  'the book would have to change during each of six attempts of a quote, or eight of an order, which are milliseconds apart; books of a venue arrive some tens of milliseconds apart':
    ['price_unverified'],
  'a session lives for a minute at least': ['session_expired'],
  'there is a checkpoint within ten seconds of the first item': ['unknown_checkpoint'],
  'the database would have to be restored to an earlier point': ['cursor_ahead'],
  'a step sends whole requests of ordinary size': ['request_timeout', 'headers_too_large'],
  'answers of orders resolve, not of the API': ['order_not_unknown', 'order_still_unknown', 'contradicts_fills'],
  'a file would have to hold 64 KB': ['payload_too_large'],
  'faults and overload of the service': [
    'internal_error',
    'embed_unavailable',
    'stream_capacity',
    'service_unavailable',
  ],
  'answers of the webhooks commands, not of the API': [
    'invalid_destination',
    'unknown_event_type',
    'too_many_endpoints',
    'unknown_endpoint',
    'delivery_pending',
    'secret_unreadable',
  ],
  'only the service operator disables an endpoint': ['endpoint_disabled'],
  'answers of other commands of the service operator': [
    'period_closed',
    'unknown_period',
    'approval_required',
    'approval_own',
    'approval_decided',
    'approval_expired',
    'facts_changed',
    'unknown_approval',
    'unknown_operator',
    'operator_exists',
    'mode_in_use',
    'unknown_key',
  ],
};

const scripts = scenarioScripts();

test('every file that is named is there, and every file shows a transition or a code', () => {
  const named = STATES.flatMap(([, names]) => names);
  expect(named.filter((script) => !existsSync(join(FOLDER, `${script}.yaml`)))).toEqual([]);
  expect(scripts.map(({ script }) => script).toSorted()).toEqual(
    globSync('**/*.yaml', { cwd: FOLDER })
      .map((file) => file.replace('.yaml', ''))
      .toSorted(),
  );
  expect(scripts.filter(({ script, codes }) => codes.length === 0 && !named.includes(script))).toEqual([]);
});

test('every error code has a file that expects it, or a reason why none can', () => {
  const shown = new Set(scripts.flatMap(({ codes }) => codes));
  const unreached = Object.values(UNREACHED).flat();
  expect(Object.keys(ERRORS).filter((code) => !shown.has(code) && !unreached.includes(code))).toEqual([]);
  expect(unreached.filter((code) => shown.has(code) || !(code in ERRORS))).toEqual([]);
});

describe('rows of the state tables', () => {
  test.each(STATES)('%s', (row, names) => {
    const statuses = [...row.matchAll(/`([a-z_]+)`/g)].map(([, status = '']) => status);
    const unseen = statuses.filter((status) => !names.some((script) => text(script).includes(status)));
    // an order passes through submitted unseen: a file sees its transmission, or that it got beyond
    expect(unseen.filter((status) => status !== 'submitted')).toEqual([]);
  });
});

test('every action is used by a ready file and listed in the guide', () => {
  const all = scripts.map(({ script }) => text(script));
  const unused = ACTION_NAMES.filter((name) => !all.some((one) => new RegExp(`^ +${name}:`, 'm').test(one)));
  expect(unused).toEqual([]);
  expect(ACTION_NAMES.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
