/** What a scenario may expect of an answer: subsets, matchers, paths and money identities. */
import { describe, expect, test } from 'vitest';
import { brokenIdentities, mismatches } from '../../src/cli/scenarios/judge.ts';
import { fillIn, namesIn, readPath } from '../../src/cli/scenarios/variables.ts';

const answer = {
  status: 'filled',
  count: 2,
  note: null,
  money: { debit: '10.00', parts: ['9.80', '0.20'] },
  items: [{ id: 'a' }, { id: 'b', more: true }],
};

describe('a subset', () => {
  test.each([
    [{}],
    [{ status: 'filled', note: null }],
    [{ items: [{ id: 'a' }, { more: true }] }],
    [{ missing: { $absent: true }, note: { $absent: false } }],
    [{ count: { $gt: 1, $lte: 2 }, money: { debit: { $gte: 10, $lt: '10.01' } } }],
    [{ status: { $oneOf: ['filled', 'rejected'], $match: '^fil', $type: 'string', $not: 'open' } }],
    [{ items: { $length: 2, $contains: { id: 'b' } }, note: { $type: 'null' } }],
    [{ money: { debit: { $sum: ['9.80', '0.20'] } } }],
  ])('%j holds', (expected) => {
    expect(mismatches(expected, answer)).toEqual([]);
  });

  test.each([
    [{ status: 'open' }, 'status'],
    [{ count: '2' }, 'count'],
    [{ note: { $any: true } }, 'note'],
    [{ items: [{ id: 'a' }] }, 'items'],
    [{ items: [{ id: 'a' }, { id: 'c' }] }, 'items.1.id'],
    [{ money: { debit: { $gt: 10 } } }, 'money.debit'],
    [{ money: { debit: { $sum: ['9.80', '0.19'] } } }, 'money.debit'],
    [{ items: { $contains: { id: 'z' } } }, 'items'],
    [{ missing: { deep: 1 } }, 'missing'],
  ])('%j does not, at %s', (expected, path) => {
    expect(mismatches(expected, answer)).toEqual([expect.objectContaining({ path })]);
  });
});

test('paths in several spellings', () => {
  for (const path of ['items.1.id', 'items[1].id', '$.items[1].id', '/items/1/id', 'body.items[1].id']) {
    expect(readPath(answer, path)).toBe('b');
  }
  expect(readPath(answer, 'items.5.id')).toBeUndefined();
  expect(readPath(answer, 'status.length')).toBeUndefined();
});

test('variables that are the whole value keep their type', () => {
  const variables = new Map<string, unknown>([
    ['n', 5],
    ['o', { a: 1 }],
  ]);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the file's own variables
  const template = { whole: '${n}', part: 'n-${n}', deep: ['${o}'], id: '${uuid}' };
  expect(fillIn(template, variables)).toEqual({
    whole: 5,
    part: 'n-5',
    deep: [{ a: 1 }],
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(namesIn(template).map(({ name }) => name)).toEqual(['n', 'n', 'o', 'uuid']);
});

test('identities to the cent, in every money block', () => {
  const good = {
    authorizationAmount: '10.00',
    actualDebit: '4.01',
    releaseAmount: '5.99',
    tradeAmount: '3.93',
    platformFee: '0.08',
    venueFee: '0.00',
  };
  expect(brokenIdentities({ orders: [{ operatorMoney: good }] })).toEqual([]);
  expect(brokenIdentities({ operatorMoney: { ...good, releaseAmount: '6.00' } })).toMatchObject([
    { path: 'operatorMoney.authorizationAmount' },
  ]);
  const exit = { sellProceeds: '2.69', platformFee: '0.06', venueFee: '0.00' };
  expect(brokenIdentities({ notional: 2.75, operatorExitMoney: exit })).toEqual([]);
  expect(brokenIdentities({ notional: 2.76, operatorExitMoney: exit })).toMatchObject([{ path: 'notional' }]);
});
