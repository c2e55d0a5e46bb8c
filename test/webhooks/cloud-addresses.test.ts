/** Addresses that registries call public and that answer from inside a cloud: no webhook and no picture goes there. */
import { expect, test } from 'vitest';
import { isPublicAddress } from '../../src/core/addresses.ts';
import { openImageFetcher } from '../../src/markets/images/image-fetch.ts';
import { checkDestination } from '../../src/webhooks/destination.ts';

const INSIDE = [
  ...['168.63.129.16', '169.254.169.254', '192.0.0.192', '100.100.100.200', '169.254.170.2', '198.18.0.1'],
  ...['fd00:ec2::254', 'fe80::a9fe:a9fe', '::ffff:168.63.129.16', '64:ff9b::a83f:8110', '2002:a83f:8110::1'],
  ...['2001:0:a83f:8110::1', '2001:db8::1', '3fff::1'],
];

test('no cloud platform address is public, however it is written', () => {
  expect(INSIDE.filter(isPublicAddress)).toEqual([]);
  expect(['168.63.129.17', '8.8.8.8', '2606:4700::1111'].filter((address) => !isPublicAddress(address))).toEqual([]);
});

test('no webhook and no picture goes to one', async () => {
  for (const host of ['168.63.129.16', '[::ffff:168.63.129.16]', '2822734096', '0xa8.0x3f.0x81.0x10']) {
    expect(() => checkDestination(`https://${host}/hook`, { allowLoopback: true }), host).toThrow(
      'not a public address',
    );
  }
  const images = openImageFetcher();
  await expect(images.fetch('https://168.63.129.16/picture.png', [])).rejects.toThrow('not a public address');
  await images.close();
});
