import { describe, expect, test } from 'vitest';
import { isPublicAddress } from '../../src/core/addresses.ts';
import { checkDestination, resolveDestination } from '../../src/webhooks/destination.ts';

const strict = { allowLoopback: false };
const development = { allowLoopback: true };

function ruleOf(url: string, policy = strict): unknown {
  try {
    checkDestination(url, policy);
    return 'accepted';
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_destination' });
    expect((error as Error).message).not.toContain('\n');
    return (error as { extra: { rule: unknown } }).extra.rule;
  }
}

describe('destination', () => {
  test.each([
    ['https://hooks.example.com/inlay?x=1', 'accepted'],
    ['https://hooks.example.com:443/', 'accepted'],
    ['https://8.8.8.8/', 'accepted'],
    ['http://hooks.example.com/', 'https'],
    ['ftp://hooks.example.com/', 'https'],
    ['https://hooks.example.com:8443/', 'port'],
    ['https://hooks.example.com:80/', 'port'],
    ['https://user:pass@hooks.example.com/', 'credentials'],
    ['https://user@hooks.example.com/', 'credentials'],
    ['https://@hooks.example.com/', 'credentials'],
    ['https://:@hooks.example.com/', 'credentials'],
    ['https://10.0.0.1/', 'address'],
    ['https://172.16.9.9/', 'address'],
    ['https://192.168.1.1/', 'address'],
    ['https://169.254.169.254/latest', 'address'],
    ['https://100.64.0.1/', 'address'],
    ['https://0.0.0.0/', 'address'],
    ['https://224.0.0.1/', 'address'],
    ['https://255.255.255.255/', 'address'],
    ['https://[fe80::1]/', 'address'],
    ['https://[fc00::1]/', 'address'],
    ['https://[::ffff:10.0.0.1]/', 'address'],
    ['https://[::7f00:1]/', 'address'],
    ['https://[64:ff9b::a00:1]/', 'address'],
    ['https://[2002:a00:1::]/', 'address'],
    ['https://[ff02::1]/', 'address'],
    ['https://[::]/', 'address'],
    ['https://2130706433/', 'loopback'],
    ['https://0x7f.1/', 'loopback'],
    ['https://localhost/', 'loopback'],
    ['https://localhost./', 'loopback'],
    ['https://a.localhost/', 'loopback'],
    ['https://[::1]/', 'loopback'],
    ['https://[::ffff:127.0.0.1]/', 'loopback'],
    ['http://127.0.0.1:9000/', 'https'],
    ['/hook', 'url'],
    ['', 'url'],
    ['javascript:alert(1)', 'url'],
    [`https://hooks.example.com/${'x'.repeat(2100)}`, 'url'],
  ])('%s is %s', (url, rule) => {
    expect(ruleOf(url)).toBe(rule);
  });

  test.each([
    ['http://127.0.0.1:9000/hook', 'accepted'],
    ['http://localhost:9000/hook', 'accepted'],
    ['https://localhost:9000/hook', 'accepted'],
    ['http://[::1]:9000/', 'accepted'],
    ['http://192.168.1.1/', 'https'],
    ['http://user:pass@127.0.0.1:9000/', 'credentials'],
    ['https://hooks.example.com:9000/', 'port'],
  ])('with loopback allowed, %s is %s', (url, rule) => {
    expect(ruleOf(url, development)).toBe(rule);
  });

  test('judges what a name resolves to when it is registered', async () => {
    const to =
      (...addresses: string[]) =>
      () =>
        Promise.resolve(addresses.map((address) => ({ address })));
    await expect(resolveDestination('https://a.example/', strict, to('8.8.8.8'))).resolves.toMatchObject({
      host: 'a.example',
      resolved: true,
    });
    await expect(resolveDestination('https://a.example/', strict, to('8.8.8.8', '10.0.0.1'))).rejects.toMatchObject({
      extra: { rule: 'address' },
    });
    const failing = (code: string) => () => Promise.reject(Object.assign(new Error('dns'), { code }));
    await expect(resolveDestination('https://a.example/', strict, failing('ENOTFOUND'))).rejects.toMatchObject({
      extra: { rule: 'resolution' },
    });
    await expect(resolveDestination('https://a.example/', strict, failing('EAI_AGAIN'))).resolves.toMatchObject({
      resolved: false,
    });
  });

  test('takes IPv6 for public only within 2000::/3', () => {
    expect(isPublicAddress('2606:4700::1')).toBe(true);
    expect(isPublicAddress('4000::1')).toBe(false);
    expect(isPublicAddress('not an address')).toBe(false);
  });
});
