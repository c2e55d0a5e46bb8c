/** Key files of real venues: what doctor says of them, and that a replaced key is used. */
import { chmodSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readEnvironment } from '../../src/core/environment.ts';
import { checkEnvironment } from '../../src/operations/checks.ts';
import { openKeyFile } from '../../src/venues/key-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const file = join(temporaryFolder('key'), 'key.pem');
beforeEach(() => {
  rmSync(file, { force: true });
  writeFileSync(file, 'first', { mode: 0o600 });
});
afterEach(() => {
  vi.useRealTimers();
});

const check = (variables: Record<string, string>) =>
  checkEnvironment(readEnvironment({ INLAY_VENUES: 'kalshi', ...variables })).find(({ name }) => name === 'kalshi key');

test('doctor says whether the key of Kalshi can be used', () => {
  const id = { INLAY_KALSHI_KEY_ID: 'key' };
  const both = { ...id, INLAY_KALSHI_PRIVATE_KEY_FILE: file };
  expect(check({})).toMatchObject({ ok: true, detail: 'not set: the venue is read only' });
  expect(check(both)).toMatchObject({ ok: true });
  chmodSync(file, 0o644);
  expect(check(both)).toMatchObject({ ok: false, warning: true, detail: expect.stringContaining('0600') });
  expect(check({ ...both, INLAY_KALSHI_PRIVATE_KEY_FILE: `${file}.none` })).toMatchObject({ ok: false });
});

// contract 41.13
test('one of the two settings of a key alone is one clear line at the start', () => {
  expect(() => readEnvironment({ INLAY_KALSHI_KEY_ID: 'key' })).toThrow(
    'INLAY_KALSHI_KEY_ID: set INLAY_KALSHI_PRIVATE_KEY_FILE too',
  );
  expect(() => readEnvironment({ INLAY_KALSHI_PRIVATE_KEY_FILE: file })).toThrow(
    'INLAY_KALSHI_PRIVATE_KEY_FILE: set INLAY_KALSHI_KEY_ID too',
  );
  expect(() => readEnvironment({ INLAY_GEMINI_KEY_ID: 'key' })).toThrow(
    'INLAY_GEMINI_KEY_ID: set INLAY_GEMINI_SECRET_FILE too',
  );
});

test('doctor says whether the wallet of Polymarket can be used', () => {
  const checked = (variables: Record<string, string>) =>
    checkEnvironment(readEnvironment({ INLAY_VENUES: 'polymarket', ...variables })).find(
      ({ name }) => name === 'polymarket key',
    );
  const key = { INLAY_POLYMARKET_PRIVATE_KEY_FILE: file };
  expect(checked({})).toMatchObject({ ok: true, detail: 'not set: the venue is read only' });
  expect(checked(key)).toMatchObject({ ok: true, detail: file });
  const safe = { ...key, INLAY_POLYMARKET_SIGNATURE_TYPE: '2' };
  expect(checked(safe)).toMatchObject({ ok: false, detail: expect.stringContaining('INLAY_POLYMARKET_FUNDER') });
  expect(checked({ ...safe, INLAY_POLYMARKET_FUNDER: `0x${'1'.repeat(40)}` })).toMatchObject({ ok: true });
  chmodSync(file, 0o644);
  expect(checked(key)).toMatchObject({ ok: false, warning: true, detail: expect.stringContaining('0600') });
  expect(checked({ INLAY_POLYMARKET_PRIVATE_KEY_FILE: `${file}.none` })).toMatchObject({ ok: false });
});

test('doctor says whether the secret of Gemini can be used', () => {
  const checked = (variables: Record<string, string>) =>
    checkEnvironment(readEnvironment({ INLAY_VENUES: 'gemini', ...variables })).find(
      ({ name }) => name === 'gemini secret',
    );
  const both = { INLAY_GEMINI_KEY_ID: 'key', INLAY_GEMINI_SECRET_FILE: file };
  expect(checked({})).toMatchObject({ ok: true, detail: 'not set: the venue is read only' });
  expect(checked(both)).toMatchObject({ ok: true });
  chmodSync(file, 0o644);
  expect(checked(both)).toMatchObject({ ok: false, warning: true, detail: expect.stringContaining('0600') });
  expect(checked({ ...both, INLAY_GEMINI_SECRET_FILE: `${file}.none` })).toMatchObject({ ok: false });
});

test('a key that is replaced in its file is used, and one that cannot be read keeps the last', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const key = openKeyFile('INLAY_X_KEY_FILE', file, (text) => {
    if (text === '') {
      throw new Error('no key');
    }
    return text;
  });
  expect(key.key()).toBe('first');
  writeFileSync(file, 'second');
  utimesSync(file, new Date(), new Date(Date.now() + 5_000));
  expect(key.key()).toBe('first');
  vi.advanceTimersByTime(6_000);
  expect(key.key()).toBe('second');
  writeFileSync(file, '');
  utimesSync(file, new Date(), new Date(Date.now() + 9_000));
  vi.advanceTimersByTime(6_000);
  expect(key.key()).toBe('second');
  const none = openKeyFile('INLAY_X_KEY_FILE', `${file}.none`, String);
  expect(() => none.key()).toThrow(`INLAY_X_KEY_FILE: the key file ${file}.none cannot be read: ENOENT`);
});
