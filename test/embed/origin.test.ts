import { describe, expect, test } from 'vitest';
import { originOfAddress, readWebOrigin } from '../../src/core/web-origin.ts';
import { acceptsOrigin } from '../../src/embed/authenticate.ts';

describe('the origin a session is bound to', () => {
  test('https, and http on loopback; a path is dropped', () => {
    expect(originOfAddress('https://casino.example')).toBe('https://casino.example');
    expect(originOfAddress('https://Casino.example:443/lobby?x=1#y')).toBe('https://casino.example');
    expect(originOfAddress('https://casino.example:8443/')).toBe('https://casino.example:8443');
    expect(originOfAddress('http://localhost:3000/a')).toBe('http://localhost:3000');
    expect(originOfAddress('http://127.0.0.1:3000')).toBe('http://127.0.0.1:3000');
    expect(originOfAddress('http://[::1]:3000')).toBe('http://[::1]:3000');
  });

  test('anything else is refused', () => {
    const texts = [
      '',
      'null',
      '*',
      'casino.example',
      'http://casino.example',
      'http://127.0.0.1.casino.example',
      'http://localhost.casino.example',
      'https://user:pass@casino.example',
      'https://user@casino.example',
      'https://',
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'wss://casino.example',
      'blob:https://casino.example/1',
      `https://${'a'.repeat(3000)}.example`,
    ];
    for (const text of texts) {
      expect(originOfAddress(text), text).toBeNull();
    }
  });
});

const INJECTIONS = [
  'https://a.example;sandbox;x',
  "https://a.example;script-src 'none'",
  'https://a.example,b',
  'https://a.example b',
];

test('an origin is scheme://host[:port], https or loopback http, and adds no directive to a policy', () => {
  for (const text of [
    ...INJECTIONS,
    'http://casino.example',
    'https://*.example',
    'https://a.example/',
    'https://a.example/x',
  ]) {
    expect(readWebOrigin(text), text).toBeNull();
  }
  for (const text of INJECTIONS) {
    expect(originOfAddress(text), text).toBeNull();
  }
  expect(readWebOrigin('https://Casino.example:443')).toBe('https://casino.example');
  expect(readWebOrigin('http://localhost:3000')).toBe('http://localhost:3000');
  expect(readWebOrigin('https://bücher.example')).toBe('https://xn--bcher-kva.example');
});

describe('calls of a bound session', () => {
  const bound = 'https://casino.example';
  const ownOrigins = new Set(['https://markets.example']);
  const call = (method: string, origin?: string) => ({ method, origin, ownOrigins });

  test('the bound origin and the service itself', () => {
    expect(acceptsOrigin(bound, call('POST', bound))).toBe(true);
    expect(acceptsOrigin(bound, call('POST', 'http://markets.example'))).toBe(false);
    expect(acceptsOrigin(bound, call('POST', 'https://markets.example'))).toBe(true);
  });

  test('without an Origin only reads', () => {
    expect(acceptsOrigin(bound, call('GET'))).toBe(true);
    expect(acceptsOrigin(bound, call('POST'))).toBe(false);
    expect(acceptsOrigin(bound, call('DELETE'))).toBe(false);
  });

  test('no other origin, for reads neither', () => {
    for (const origin of [
      'https://evil.example',
      'null',
      'https://casino.example.evil.example',
      'http://casino.example',
    ]) {
      expect(acceptsOrigin(bound, call('GET', origin)), origin).toBe(false);
      expect(acceptsOrigin(bound, call('POST', origin)), origin).toBe(false);
    }
  });

  test('an unbound session accepts all', () => {
    expect(acceptsOrigin(null, call('POST', 'https://anyone.example'))).toBe(true);
    expect(acceptsOrigin(null, call('POST'))).toBe(true);
  });
});
