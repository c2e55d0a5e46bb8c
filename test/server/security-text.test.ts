/** Whom a researcher tells of a fault. */
import { expect, test } from 'vitest';
import { readEnvironment } from '../../src/core/environment.ts';
import { openWorld } from '../support/world.ts';

test('security.txt names the contact of the deployment for half a year; without a contact there is none', async () => {
  const service = await openWorld({
    environment: { INLAY_SECURITY_CONTACT: 'mailto:security@operator.example' },
  });
  const { status, text, headers } = await service.request('GET', '/.well-known/security.txt', { key: null });
  await service.close();
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const [contact, expires = ''] = text.split('\n');
  expect(contact).toBe('Contact: mailto:security@operator.example');
  const days = (new Date(expires.replace('Expires: ', '')).getTime() - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(180);
  const without = await openWorld();
  expect((await without.request('GET', '/.well-known/security.txt', { key: null })).status).toBe(404);
  await without.close();
  expect(() => readEnvironment({ INLAY_SECURITY_CONTACT: 'security@operator.example' })).toThrow(
    'INLAY_SECURITY_CONTACT',
  );
});
