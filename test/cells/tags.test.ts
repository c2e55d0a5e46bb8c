/** The name of a cell in API keys and embed tokens: balancers read it, everybody else does not. */
import { expect, test } from 'vitest';
import { readEnvironment } from '../../src/core/environment.ts';
import { createKeyring, embedTokenTag, type Keyring, mintToken, readToken } from '../../src/embed/token.ts';
import { apiKeyPrefix, apiKeyTag, looksLikeApiKey, newApiKey } from '../../src/operators/api-key.ts';

const SECRET = { current: 'a secret of both cells', previous: [] };
const keyring = (cell?: string): Keyring => createKeyring(SECRET, cell) as Keyring;

test('without a name keys and tokens are as they were', () => {
  expect(newApiKey('sandbox')).toMatch(/^pk_test_[0-9A-Za-z]{40}$/);
  expect(newApiKey('live')).toMatch(/^sk_live_[0-9A-Za-z]{40}$/);
  expect(apiKeyPrefix(`pk_test_${'x'.repeat(40)}`)).toHaveLength(16);
  expect(mintToken(keyring(), 'op_1').token).toMatch(/^ies1\.[0-9a-f]{12}\./);
});

test('with a name they begin with it, and a key is shown up to eight characters of its secret', () => {
  const key = newApiKey('live', 'east');
  expect(key).toMatch(/^sk_live_east_[0-9A-Za-z]{40}$/);
  expect(looksLikeApiKey(key)).toBe(true);
  expect(apiKeyPrefix(key)).toBe(key.slice(0, 'sk_live_east_'.length + 8));
  expect(key.startsWith(apiKeyTag('live', 'east'))).toBe(true);
  const { token } = mintToken(keyring('east'), 'op_1');
  expect(token.split('.')).toHaveLength(4);
  expect(token.startsWith(embedTokenTag('east', 'op_1'))).toBe(true);
  expect(token.startsWith(embedTokenTag('east'))).toBe(true);
  expect(token.startsWith(embedTokenTag('east', 'op_2'))).toBe(false);
});

test('a text with a malformed name cannot be a key', () => {
  const secret = 'x'.repeat(40);
  for (const name of ['East', 'a-b', 'x'.repeat(13), '', 'a_b']) {
    expect(looksLikeApiKey(`pk_test_${name}_${secret}`), name).toBe(false);
  }
});

test('a token is read by every cell with the same secret, and a changed name or operator is refused', () => {
  const { token, secretHash } = mintToken(keyring('east'), 'op_1');
  expect(readToken(keyring('west'), token)).toEqual(secretHash);
  expect(readToken(keyring(), token)).toEqual(secretHash);
  expect(readToken(keyring('east'), token.replace('.east-', '.west-'))).toBeNull();
  const tag = embedTokenTag('east', 'op_1');
  expect(readToken(keyring('east'), token.replace(tag, embedTokenTag('east', 'op_2')))).toBeNull();
  expect(readToken(keyring('east'), token.replace(tag, 'ies1.'))).toBeNull();
});

test('INLAY_CELL is 1 to 12 lower-case letters and digits', () => {
  expect(readEnvironment({ INLAY_CELL: 'eu1' }).cell).toBe('eu1');
  expect(readEnvironment({}).cell).toBeUndefined();
  expect(() => readEnvironment({ INLAY_CELL: 'Europe-1' })).toThrow('INLAY_CELL: 1 to 12');
});
