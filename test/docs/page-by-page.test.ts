/** A page of the documentation is made for its reader, without the others. */
import { expect, test } from 'vitest';
import { createSite } from '../../src/server/docs/site.ts';

test('the overview and a guide are made without the document of the API', async () => {
  const site = createSite(() => {
    throw new Error('the document of the API was asked for');
  }, undefined);
  expect((await site.pageAt('/docs'))?.plain.toString()).toContain('Build with Inlay');
  expect((await site.pageAt('/docs/guides/webhooks'))?.plain.toString()).toContain('Receive webhooks');
});

test('an address that the site does not have is none', () => {
  expect(
    createSite(() => ({ paths: {}, webhooks: {}, components: { schemas: {} } }), undefined).pageAt('/docs/other'),
  ).toBeUndefined();
});

test('a page that could not be made is made again for the next reader', async () => {
  let calls = 0;
  const site = createSite(() => {
    calls += 1;
    if (calls === 1) {
      throw new Error('not yet');
    }
    return { paths: {}, webhooks: {}, components: { schemas: {} } };
  }, undefined);
  await expect(site.pageAt('/docs/reference/catalogue')).rejects.toThrow('not yet');
  expect((await site.pageAt('/docs/reference/catalogue'))?.plain.toString()).toContain('<h1');
});
