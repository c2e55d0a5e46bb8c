/** Signatures of Gemini's requests and streams, and ids that a number would not keep. */
import { expect, test } from 'vitest';
import { readGeminiSecret, signGemini, signGeminiStream, verifyGemini } from '../../src/venues/gemini/rest.ts';
import { parseExact } from '../../src/venues/shapes.ts';

const credentials = { keyId: 'account-1', secret: 'conformance-api-secret' };
const NONCE = 1_795_810_000;

test('the example of the exchange’s own page has its signature', () => {
  const payload =
    'ewogICAgInJlcXVlc3QiOiAiL3YxL29yZGVyL3N0YXR1cyIsCiAgICAibm9uY2UiOiAxMjM0NTYsCgogICAgIm9yZGVyX2lkIjogMTg4MzQKfQo=';
  const signature = '337cc8b4ea692cfe65b4a85fcc9f042b2e3f702ac956fd098d600ab15705775017beae402be773ceee10719ff70d710f';
  expect(verifyGemini('1234abcd', payload, signature)).toBe(true);
  expect(verifyGemini('1234abce', payload, signature)).toBe(false);
  expect(verifyGemini('1234abcd', payload, signature.slice(0, -1))).toBe(false);
});

test('an order is signed over its path, nonce and parameters, as OpenSSL signs it', () => {
  const parameters = {
    symbol: 'GEMI-FEDJAN26-DN25',
    orderType: 'limit',
    side: 'buy',
    outcome: 'yes',
    quantity: '10',
    price: '0.65',
    timeInForce: 'immediate-or-cancel',
    clientOrderId: 'att_01',
  };
  const headers = signGemini(credentials, NONCE, '/v1/prediction-markets/order', parameters);
  expect(headers['x-gemini-apikey']).toBe('account-1');
  expect(headers['x-gemini-signature']).toBe(
    'd7ac5900426af9f6566f7dab3d91ab9dcd4e774f622f929308fd7d01387a75800b3f8fd0f5b44233121fbe3a644e9ec6',
  );
  const payload = Buffer.from(headers['x-gemini-payload'] ?? '', 'base64').toString();
  expect(JSON.parse(payload)).toEqual({ request: '/v1/prediction-markets/order', nonce: NONCE, ...parameters });
});

test('a stream is signed over its nonce alone', () => {
  expect(signGeminiStream(credentials, NONCE)).toEqual({
    'x-gemini-apikey': 'account-1',
    'x-gemini-nonce': '1795810000',
    'x-gemini-payload': 'MTc5NTgxMDAwMA==',
    'x-gemini-signature':
      'f071a13fdb8b7f69cfc8a90c70342c1d874436eee8f3ca8f08823f01ce53e9a95e4ab032cff1bac29c0f38bd0afd1d23',
  });
});

test.each(['', '   \n', 'two words of a secret', 'short'])('%j is no secret, and is not quoted', (text) => {
  expect(() => readGeminiSecret(text)).toThrow(/^no secret of an API key$/);
});

test('a secret is read without the line break behind it', () => {
  expect(readGeminiSecret('abcdefghijklmnop\n')).toBe('abcdefghijklmnop');
});

test('an id beyond 2^53 is read as its text; every other number stays one', () => {
  expect(parseExact('{"orderId":145000000000000003,"small":12,"part":0.1,"text":"145000000000000003"}')).toEqual({
    orderId: '145000000000000003',
    small: 12,
    part: 0.1,
    text: '145000000000000003',
  });
  expect(() => parseExact('<html>')).toThrow(SyntaxError);
});
