import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { signatureHeader, verifySignature } from '../../src/core/webhook-signature.ts';
import { SignedRequest } from '../../src/webhooks/sender.ts';

// Made with `printf '%s' '1750000000.{"id":"evn_1"}' | openssl dgst -sha256 -hmac 'whsec_test'`.
const VECTOR = {
  secret: 'whsec_test',
  at: 1_750_000_000,
  body: '{"id":"evn_1"}',
};

describe('signature', () => {
  test('is the HMAC over "<t>.<raw body>" keyed with the whole secret string', () => {
    const expected = createHmac('sha256', Buffer.from(VECTOR.secret, 'utf8'))
      .update(`${VECTOR.at}.${VECTOR.body}`)
      .digest('hex');
    expect(signatureHeader(VECTOR.secret, VECTOR.at, VECTOR.body)).toBe(`t=${VECTOR.at},v1=${expected}`);
    expect(expected).toBe('aad69a715081040e61f12f8a02f357dabb0d81dd27b2d13501c2ccfbc9eb3a04');
  });

  // contract 27.3, contract 27.4
  test('verifies, and refuses another secret, another body, a stale or early time and nonsense', () => {
    const header = signatureHeader(VECTOR.secret, VECTOR.at, VECTOR.body);
    const verify = (secret: string, body: string, now: number) => verifySignature(secret, header, body, now);
    expect(verify(VECTOR.secret, VECTOR.body, VECTOR.at + 300)).toEqual({ valid: true, timestamp: VECTOR.at });
    expect(verify(VECTOR.secret, VECTOR.body, VECTOR.at + 301)).toEqual({ valid: false, reason: 'too_old' });
    expect(verify(VECTOR.secret, VECTOR.body, VECTOR.at - 301)).toEqual({ valid: false, reason: 'in_the_future' });
    expect(verify('whsec_other', VECTOR.body, VECTOR.at)).toEqual({ valid: false, reason: 'mismatch' });
    expect(verify('test', VECTOR.body, VECTOR.at)).toEqual({ valid: false, reason: 'mismatch' });
    expect(verify(VECTOR.secret, `${VECTOR.body} `, VECTOR.at)).toEqual({ valid: false, reason: 'mismatch' });
    for (const nonsense of ['', 'v1=00', 't=1', 't=x,v1=00', 't=-5,v1=00']) {
      expect(verifySignature(VECTOR.secret, nonsense, VECTOR.body, VECTOR.at)).toEqual({
        valid: false,
        reason: 'malformed',
      });
    }
  });
});

describe('a header', () => {
  const { secret, at, body } = VECTOR;
  const right = signatureHeader(secret, at, body).slice(`t=${at},v1=`.length);
  const judge = (header: string, now = at) => verifySignature(secret, header, body, now);
  const VALID = { valid: true, timestamp: at };

  test('may have blanks, other fields and several signatures, of which one is right', () => {
    const wrong = '0'.repeat(64);
    for (const header of [
      `v0=x, t=${at} , v1=${right}`,
      `t=${at},v1=${wrong},v1=${right}`,
      `t=${at},v1=${right},v1=${wrong}`,
      `t=${at},v1=${right.toUpperCase()}`,
    ]) {
      expect(judge(header), header).toEqual(VALID);
    }
    expect(judge(`t=${at},v1=${wrong},v1=${wrong}`)).toEqual({ valid: false, reason: 'mismatch' });
  });

  test.each([
    ['short', right.slice(2)],
    ['empty', ''],
    ['long', `${right}00`],
    ['with something before it', `zz${right}`],
    ['with something behind it', `${right}zz`],
    ['no hex', 'z'.repeat(64)],
  ])('with a signature that is %s does not match', (_, signature) => {
    expect(judge(`t=${at},v1=${signature}`)).toEqual({ valid: false, reason: 'mismatch' });
  });

  test.each([`${at}x`, `x${at}`, '1'.repeat(13), ''])('with the time %o is malformed', (time) => {
    expect(judge(`t=${time},v1=${right}`)).toEqual({ valid: false, reason: 'malformed' });
    expect(judge(`u=${at},v1=${right}`)).toEqual({ valid: false, reason: 'malformed' });
  });

  test('is judged by the tolerance that is given, either way', () => {
    const header = signatureHeader(secret, at, body);
    const within = (now: number, tolerance: number) => verifySignature(secret, header, body, now, tolerance);
    expect([within(at, 0), within(at + 5, 5), within(at - 5, 5)]).toEqual([VALID, VALID, VALID]);
    expect(within(at + 1, 0)).toEqual({ valid: false, reason: 'too_old' });
    expect(within(at - 1, 0)).toEqual({ valid: false, reason: 'in_the_future' });
  });
});

describe('signed request', () => {
  const notice = { eventId: 'evn_1', type: 'order.filled', dedupeKey: 'order.filled:a:b', data: '{"a":1.50,"b":"é"}' };

  // contract 27.2, contract 27.4
  test('carries the recorded payload byte for byte, fresh times and the same signature under both names', () => {
    const at = new Date('2026-11-21T10:00:00.123Z');
    const request = SignedRequest.sign('https://example.com/hook', 'whsec_x', notice, at);
    expect(request.body.toString()).toBe(
      '{"id":"evn_1","type":"order.filled","dedupeKey":"order.filled:a:b","createdAt":"2026-11-21T10:00:00.123Z","data":{"a":1.50,"b":"é"}}',
    );
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'service-event-type': 'order.filled',
      'user-agent': 'Service-Webhooks/1',
    });
    const signature = request.headers['service-signature'] ?? '';
    expect(request.headers['x-webhook-signature']).toBe(signature);
    expect(verifySignature('whsec_x', signature, request.body, at.getTime() / 1000).valid).toBe(true);
  });

  // contract 27.5
  test('cannot be made without a secret, nor be imitated', () => {
    expect(() => SignedRequest.sign('https://example.com', '', notice, new Date())).toThrow('signed');
    expect(SignedRequest.isSigned({ url: 'https://example.com', headers: {}, body: Buffer.alloc(0) })).toBe(false);
    expect(SignedRequest.isSigned(Object.create(SignedRequest.prototype) as object)).toBe(false);
  });
});
