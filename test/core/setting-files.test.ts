/** Settings whose values are in files, as secrets of containers and of systemd are given. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readEnvironment } from '../../src/core/environment.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder('inlay-settings');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileWith(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test('the value of any setting can be in a file that NAME_FILE names; the variable itself wins', () => {
  const secret = fileWith('secret', 'from-the-file\n');
  const database = fileWith('database', 'postgres://u:p@a,b/inlay?target_session_attrs=read-write');
  const port = fileWith('port', '9999\r\n');
  const read = readEnvironment({ INLAY_SECRET_FILE: secret, DATABASE_URL_FILE: database, PORT_FILE: port });
  expect([read.secret, read.databaseUrl, read.port]).toEqual([
    'from-the-file',
    'postgres://u:p@a,b/inlay?target_session_attrs=read-write',
    9999,
  ]);
  expect(readEnvironment({ INLAY_SECRET_FILE: secret, INLAY_SECRET: 'set-itself' }).secret).toBe('set-itself');
});

test('a file that cannot be read, or has a wrong value, is one line that names the variable', () => {
  expect(() => readEnvironment({ INLAY_SECRET_FILE: '/nowhere/secret' })).toThrow(
    'INLAY_SECRET_FILE: /nowhere/secret cannot be read (ENOENT)',
  );
  expect(() => readEnvironment({ PORT_FILE: fileWith('wrong', 'eighty') })).toThrow(/^PORT: /);
});

test('a setting that is the name of a file stays one', () => {
  const path = fileWith('key.pem', 'a key');
  expect(readEnvironment({ INLAY_LOG_KEY_FILE: path }).logKeyFile).toBe(path);
});
