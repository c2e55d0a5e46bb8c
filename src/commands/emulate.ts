/** `emulate`: an exchange on this machine that speaks as the real one does, for staging and tests. */
import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../cli/base-command.ts';
import { usage } from '../cli/failure.ts';
import { EXIT } from '../core/errors.ts';
import { untilAskedToStop } from '../core/stopping.ts';

const DOLLAR_MICROS = 1_000_000n;

export default class Emulate extends BaseCommand<typeof Emulate> {
  static override summary = 'Run an emulated exchange on this machine.';
  static override description =
    'It verifies signatures, matches orders against books, charges the documented fees and keeps accounts. POST /control takes markets, books, results and faults. Set INLAY_KALSHI_URL to the URL that it prints.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> kalshi --port 8091',
    '<%= config.bin %> <%= command.id %> kalshi --port 8091 --key-id staging --key-file key.pem',
  ];
  static override args = {
    venue: Args.string({ required: true, description: 'The exchange to emulate: kalshi.' }),
  };
  static override flags = {
    port: Flags.integer({ default: 0, min: 0, max: 65_535, summary: 'Port; a free one if none is named.' }),
    'key-id': Flags.string({ summary: 'Id of an API key that the exchange knows.', dependsOn: ['key-file'] }),
    'key-file': Flags.string({ summary: 'PEM file of that key, private or public.', dependsOn: ['key-id'] }),
    cash: Flags.integer({ default: 10_000, min: 0, summary: 'Dollars in the account of that key.' }),
  };

  protected override readonly handlesSignals = true;

  async run(): Promise<void> {
    const asked = untilAskedToStop();
    if (this.args.venue !== 'kalshi') {
      throw usage(`There is no emulator of ${this.args.venue}; there is one of kalshi.`);
    }
    const { 'key-id': keyId, 'key-file': keyFile, cash, port } = this.flags;
    const { startKalshiEmulator } = await import('../emulators/kalshi/emulator.ts');
    const { listExamples } = await import('../emulators/kalshi/example-markets.ts');
    const emulator = await startKalshiEmulator(port).catch((error: Error) => {
      throw usage(`Cannot listen on port ${port}: ${error.message}.`, 'Name another port with --port.');
    });
    listExamples(emulator);
    if (keyId !== undefined && keyFile !== undefined) {
      emulator.control({ do: 'key', keyId, publicKey: readPublicKey(keyFile), cash: BigInt(cash) * DOLLAR_MICROS });
    }
    this.emit({ url: emulator.url }, ({ url }) => `Emulating ${this.args.venue} on ${url}`);
    await asked;
    await emulator.close();
    this.endWith(EXIT.interrupted);
  }
}

/** @throws wrong usage where the file holds no RSA key; its text is never shown. */
function readPublicKey(path: string): string {
  try {
    const key = createPublicKey(readFileSync(path, 'utf8'));
    if (key.asymmetricKeyType === 'rsa') {
      return String(key.export({ type: 'spki', format: 'pem' }));
    }
  } catch {
    // said below
  }
  throw usage(`--key-file ${path} holds no RSA key in PEM form.`);
}
