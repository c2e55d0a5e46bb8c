/** What holds for every command: it says what it is for, shows an example, and refuses a flag that it does not know. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Config } from '@oclif/core';
import { describe, expect, test } from 'vitest';
import { BaseCommand } from '../../src/cli/base-command.ts';
import { projectRoot } from '../../src/core/environment.ts';

interface CommandClass extends Pick<typeof Command, 'summary' | 'description' | 'examples' | 'enableJsonFlag'> {
  new (argv: string[], config: Config): { init(): Promise<void> };
}

const folder = join(projectRoot, 'src', 'commands');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .sort();
const config = await Config.load({ root: projectRoot });

describe.each(files)('src/commands/%s', (path) => {
  test('is a command with a summary, an example and closed flags', async () => {
    const loaded = (await import(join(folder, path))) as { default: CommandClass };
    const command = loaded.default;
    expect(command.prototype).toBeInstanceOf(BaseCommand);
    expect(command.summary ?? command.description).toMatch(/\S/);
    expect(command.examples?.length ?? 0).toBeGreaterThan(0);
    expect(command.enableJsonFlag).toBe(true);
    await expect(new command(['--no-such-flag', 'x'], config).init()).rejects.toThrow(
      /no-such-flag|Unexpected|Missing/,
    );
  });
});

describe('commands of a partner', () => {
  const partner = files.filter((path) =>
    readFileSync(join(folder, path), 'utf8').match(/PartnerCommand|EitherCommand|partner(List|Call)/),
  );
  // api and a scenario send what a person wrote, the facts ask what no typed client would send, tiles of a log are bytes
  const anything = ['api.ts', 'conformance.ts', 'feed/checkpoint.ts', 'sandbox/run.ts'];

  test('call the typed client, and have no shapes of answers of their own', () => {
    expect(partner.length).toBeGreaterThan(30);
    const wrong = partner.filter((path) => {
      const source = readFileSync(join(folder, path), 'utf8');
      const raw = /this\.api\b|ApiClient|fetch\(/.test(source) && !anything.includes(path);
      return raw || /from '(\.\.\/)+wire\//.test(source);
    });
    expect(wrong).toEqual([]);
  });
});
