/** Addresses of venues: what is signed for them, and the secrets that go with it, travel encrypted. */
import { expect, test } from 'vitest';
import { readEnvironment } from '../../src/core/environment.ts';

const [KALSHI, STREAM] = ['INLAY_KALSHI_URL', 'INLAY_POLYMARKET_STREAM_URL'];

// contract 41.13
test.each([
  [KALSHI, 'http://api.exchange.example'],
  [KALSHI, 'http://127.0.0.1.exchange.example:8091'],
  [KALSHI, 'https://api.exchange.example/v2'],
  [KALSHI, 'https://user:secret@api.exchange.example'],
  [KALSHI, 'ftp://api.exchange.example'],
  [STREAM, 'ws://stream.exchange.example'],
  [STREAM, 'wss://stream.exchange.example/ws'],
  [STREAM, 'https://stream.exchange.example'],
])('%s is not %s', (name, address) => {
  expect(() => readEnvironment({ [name]: address })).toThrow(new RegExp(`^${name}: an origin such as`));
});

test.each([
  [KALSHI, 'https://api.exchange.example/'],
  [KALSHI, 'https://api.exchange.example:8443'],
  [KALSHI, 'http://localhost:8091'],
  [KALSHI, 'http://[::1]:8091/'],
  [STREAM, 'wss://stream.exchange.example/'],
  [STREAM, 'ws://127.0.0.1:8091'],
])('%s may be %s', (name, address) => {
  const { kalshi, polymarket } = readEnvironment({ [name]: address }).venueSettings;
  expect([kalshi.url, polymarket.streamUrl]).toContain(address.replace(/\/$/, ''));
});
