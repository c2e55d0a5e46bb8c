/** `emulate`: an exchange on this machine that behaves as the real one, for staging and tests. */
import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../cli/base-command.ts';
import { usage } from '../cli/failure.ts';
import { EXIT } from '../core/errors.ts';
import { untilAskedToStop } from '../core/processes.ts';
import { ONE_DOLLAR_MICROS } from '../money/decimal.ts';
import { readGeminiSecret } from '../venues/gemini/rest.ts';

export default class Emulate extends BaseCommand<typeof Emulate> {
  static override hidden = true;
  static override summary = 'Run an emulated exchange on this machine.';
  static override description =
    'It verifies signatures, matches orders against books, charges the documented fees and keeps accounts. POST /control takes markets, books, results and faults. Set INLAY_KALSHI_URL to the URL that it prints; for Polymarket set INLAY_POLYMARKET_URL, INLAY_POLYMARKET_CATALOGUE_URL and INLAY_POLYMARKET_DATA_URL, for Gemini INLAY_GEMINI_URL.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> kalshi --port 8091',
    '<%= config.bin %> <%= command.id %> kalshi --port 8091 --key-id staging --key-file key.pem',
    '<%= config.bin %> <%= command.id %> polymarket --port 8092 --key-file wallet.key --seed 7',
    '<%= config.bin %> <%= command.id %> gemini --port 8093 --key-id account-staging --key-file secret',
  ];
  static override args = {
    venue: Args.string({ required: true, description: 'The exchange to emulate: kalshi, polymarket or gemini.' }),
  };
  static override flags = {
    port: Flags.integer({
      helpValue: 'PORT',
      default: 0,
      min: 0,
      max: 65_535,
      summary: 'Port to listen on; by default a free one.',
    }),
    'key-id': Flags.string({
      helpValue: 'ID',
      summary: 'Id of an API key that the emulated Kalshi or Gemini accepts.',
      dependsOn: ['key-file'],
    }),
    'key-file': Flags.string({
      helpValue: 'FILE',
      summary:
        'File of the key that the exchange accepts: PEM for Kalshi, the private key of a wallet for Polymarket, the secret of a key for Gemini.',
    }),
    cash: Flags.integer({
      helpValue: 'DOLLARS',
      default: 10_000,
      min: 0,
      summary: 'Dollars in the account of that key.',
    }),
    seed: Flags.integer({
      helpValue: 'N',
      min: 0,
      summary: 'Seed of the ids and the random faults; the same seed repeats them. By default they are random.',
    }),
  };

  protected override readonly handlesSignals = true;

  async run(): Promise<void> {
    const asked = untilAskedToStop();
    const { venue } = this.args;
    const starts: Readonly<Record<string, () => Promise<RunningEmulator>>> = {
      kalshi: () => this.#startKalshi(),
      polymarket: () => this.#startPolymarket(),
      gemini: () => this.#startGemini(),
    };
    const start = starts[venue];
    if (start === undefined) {
      throw usage(`There is no emulator of ${venue}. The emulators are kalshi, polymarket and gemini.`);
    }
    const { port } = this.flags;
    const emulator = await start().catch((error: NodeJS.ErrnoException) => {
      throw error.syscall === 'listen'
        ? usage(`Cannot listen on port ${port}: ${error.message}.`, 'Name another port with --port.')
        : error;
    });
    this.emit({ url: emulator.url }, ({ url }) => `Emulating ${venue} on ${url}`);
    await asked;
    await emulator.close();
    this.endWith(EXIT.interrupted);
  }

  async #startKalshi(): Promise<RunningEmulator> {
    const { 'key-id': keyId, 'key-file': keyFile, cash, port, seed } = this.flags;
    if (keyFile !== undefined && keyId === undefined) {
      throw usage('--key-file of Kalshi needs --key-id.');
    }
    const { startKalshiEmulator } = await import('../emulators/kalshi/emulator.ts');
    const { listExamples } = await import('../emulators/kalshi/emulator.ts');
    const emulator = await startKalshiEmulator(port, seed);
    listExamples(emulator);
    if (keyId !== undefined && keyFile !== undefined) {
      emulator.control({ do: 'key', keyId, publicKey: readPublicKey(keyFile), cash: BigInt(cash) * ONE_DOLLAR_MICROS });
    }
    return emulator;
  }

  async #startPolymarket(): Promise<RunningEmulator> {
    const { 'key-file': keyFile, cash, port, seed } = this.flags;
    const { startPolymarketEmulator } = await import('../emulators/polymarket/emulator.ts');
    const { listExamples } = await import('../emulators/polymarket/emulator.ts');
    const { readWalletAddress } = await import('../emulators/polymarket/verify.ts');
    const signer = keyFile === undefined ? undefined : readWalletAddress(keyFile);
    if (keyFile !== undefined && signer === undefined) {
      throw usage(`--key-file ${keyFile} holds no private key of 64 hexadecimal digits.`);
    }
    const emulator = await startPolymarketEmulator(port, seed);
    listExamples(emulator);
    if (signer !== undefined) {
      emulator.control({
        do: 'wallet',
        signer,
        signatureType: 0,
        cash: BigInt(cash) * ONE_DOLLAR_MICROS,
        apiKeyBinding: 'owner',
        redeemer: false,
        closedOnly: false,
      });
    }
    return emulator;
  }

  async #startGemini(): Promise<RunningEmulator> {
    const { 'key-id': keyId, 'key-file': keyFile, cash, port, seed } = this.flags;
    if (keyFile !== undefined && keyId === undefined) {
      throw usage('--key-file of Gemini needs --key-id.');
    }
    const { startGeminiEmulator } = await import('../emulators/gemini/emulator.ts');
    const { listExamples } = await import('../emulators/gemini/emulator.ts');
    const emulator = await startGeminiEmulator(port, seed);
    listExamples(emulator);
    if (keyId !== undefined && keyFile !== undefined) {
      const cashMicros = BigInt(cash) * ONE_DOLLAR_MICROS;
      emulator.control({ do: 'key', keyId, secret: readSecret(keyFile), cash: cashMicros, acceptedTerms: true });
    }
    return emulator;
  }
}

interface RunningEmulator {
  readonly url: string;
  close(): Promise<void>;
}

/** @throws wrong usage if the file holds no secret; its text is never shown. */
function readSecret(path: string): string {
  try {
    return readGeminiSecret(readFileSync(path, 'utf8'));
  } catch {
    throw usage(`--key-file ${path} holds no secret of an API key.`);
  }
}

/** @throws wrong usage if the file holds no key of these kinds; its text is never shown. */
function readPublicKey(path: string): string {
  try {
    const key = createPublicKey(readFileSync(path, 'utf8'));
    if (key.asymmetricKeyType === 'ed25519' || key.asymmetricKeyType === 'rsa') {
      return String(key.export({ type: 'spki', format: 'pem' }));
    }
  } catch {
    // reported below
  }
  throw usage(`--key-file ${path} holds no Ed25519 or RSA key in PEM form.`);
}
