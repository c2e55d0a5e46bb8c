/** What a deployment refuses that a development machine allows. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isWeakSecret, readEnvironment } from '../../src/core/environment.ts';
import { createTestDatabase } from '../support/database.ts';
import { processesWith, startInlay } from '../support/process.ts';

// contract 41.9
test('a root secret that can be guessed does not start in production', () => {
  const read = (INLAY_SECRET: string) => readEnvironment({ NODE_ENV: 'production', INLAY_SECRET });
  for (const weak of [
    ...[
      'changeme',
      'changeme'.repeat(8),
      'a secret that only tests know',
      '0'.repeat(64),
      '0123456789abcdef'.repeat(4),
    ],
    ...[randomBytes(16).toString('hex'), randomBytes(24).toString('base64url'), 'abcdefgh'.repeat(16)],
  ]) {
    expect(() => read(weak), weak).toThrow(/^INLAY_SECRET: at least 32 random bytes/);
  }
  for (const format of ['hex', 'base64', 'base64url'] as const) {
    const strong = randomBytes(32).toString(format);
    expect(read(strong).secret).toBe(strong);
  }
  expect(readEnvironment({ INLAY_SECRET: 'changeme' }).secret).toBe('changeme');
});

test('a random secret is practically never taken for a weak one', () => {
  for (const format of ['hex', 'base64', 'base64url'] as const) {
    const taken = Array.from({ length: 2000 }, () => randomBytes(32).toString(format)).filter(isWeakSecret);
    expect([format, taken]).toEqual([format, []]);
  }
});

// contract 41.11
test('doctor warns of a weak secret; up in production makes no tenant, prints no key and allows no webhook to loopback', {
  timeout: 120_000,
  tags: 'proof',
}, async () => {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'inlay-test-'));
  const env = {
    ...{ DATABASE_URL: database.url, DATABASE_OWNER_URL: database.ownerUrl, INLAY_DATA_DIR: folder, PORT: '0' },
    ...{ LOG_LEVEL: 'error', NO_COLOR: '1' },
  };
  try {
    const doctor = await startInlay(['doctor', '--json'], { env: { ...env, INLAY_SECRET: 'changeme' } }).ended;
    const { checks } = JSON.parse(doctor.stdout) as { checks: { name: string; ok: boolean; detail: string }[] };
    expect(checks.find(({ name }) => name === 'secret')).toMatchObject({ ok: false });
    const up = startInlay(['up'], {
      env: { ...env, NODE_ENV: 'production', INLAY_SECRET: randomBytes(32).toString('hex') },
    });
    await up.prints(/Ctrl-C stops everything/);
    const started = processesWith('no such argument', `INLAY_DATA_DIR=${folder}`).map((line) => parseInt(line, 10));
    const allows = started.map((pid) =>
      /INLAY_WEBHOOK_ALLOW_LOOPBACK=(\d)/.exec(readFileSync(`/proc/${pid}/environ`, 'utf8')),
    );
    // the worker, which sends the webhooks
    expect(allows.flatMap((found) => found?.[1] ?? [])).toEqual(['0']);
    up.child.kill('SIGTERM');
    const { stdout } = await up.ended;
    expect(stdout).not.toMatch(/pk_test_|sk_live_|Demo/);
    expect(await database.sql`select 1 from operators`).toEqual([]);
  } finally {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
});
