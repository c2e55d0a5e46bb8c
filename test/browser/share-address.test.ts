import { expect, test } from 'vitest';
import { shareAddress } from '../../src/frame/market/share-address.ts';

const ORIGINS = ['https://casino.example', 'http://localhost:4000'];

test.each([
  ['https://casino.example/markets/{event}', 'https://casino.example/markets/a%20b'],
  ['https://casino.example/m?x=1&event={event}#top', 'https://casino.example/m?x=1&event=a%20b#top'],
  ['http://localhost:4000/?event={event}', 'http://localhost:4000/?event=a%20b'],
  ['https://other.example/{event}', null],
  ['https://casino.example.evil.example/{event}', null],
  ['https://casino.example@evil.example/{event}', null],
  ['javascript:alert("{event}")', null],
  ['https://casino.example/markets', null],
  ['{event}', null],
  [null, null],
])('the link of %s is %s', (template, address) => {
  expect(shareAddress(template, ORIGINS, 'a b')).toBe(address);
});
