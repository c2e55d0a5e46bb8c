/** The lines that `up` prints when the service can be used. Pure; every command in them can be pasted. */
import type { Mode } from '../../core/terms.ts';
import type { Paint } from './printable.ts';

interface Greeting {
  readonly url: string;
  readonly production: boolean;
  /** The keys that this start made, if they may be shown. */
  readonly shown: readonly { readonly slug: string; readonly mode: Mode; readonly apiKey: string }[];
  /** Path of the file with the keys of the demo tenants. */
  readonly keyFile: string;
  /** How this command line is called, such as `./bin/run.js`. */
  readonly program: string;
  /** A contract that a first purchase may buy. */
  readonly tradable: { readonly contractId: string; readonly title: string } | undefined;
}

export function greetingLines(greeting: Greeting, paint: Paint): string[] {
  const { url, production, shown, keyFile } = greeting;
  const end = ['', paint('dim', 'Ctrl-C stops everything.')];
  const addresses = [
    `${paint('bold', 'Inlay')} is running.`,
    '',
    `  API    ${paint('cyan', url)}`,
    `  Docs   ${paint('cyan', `${url}/docs`)}`,
  ];
  if (production) {
    return [...addresses, ...end];
  }
  const keys = shown.map(
    ({ slug, mode, apiKey }) => `  ${slug.padEnd(10)} ${mode.padEnd(8)} ${paint('yellow', apiKey)}`,
  );
  return [
    ...addresses,
    `  Demo   ${paint('cyan', `${url}/demo`)}`,
    ...(keys.length > 0 ? ['', 'API keys, shown only this once:', ...keys] : []),
    ...thingsToTry(greeting, paint),
    '',
    paint('dim', `The keys of the demo tenants are stored in ${keyFile}, which only you can read.`),
    ...end,
  ];
}

function thingsToTry({ url, shown, keyFile, program, tradable }: Greeting, paint: Paint): string[] {
  const key = shown.find(({ mode }) => mode === 'sandbox')?.apiKey;
  return [
    '',
    'Three things to try:',
    `  ${program} events list --limit 5`,
    ...(tradable === undefined
      ? [`  ${program} categories`]
      : [
          `  ${program} buy ${tradable.contractId} yes --stake 10 --user player-1`,
          paint('dim', `    which buys ten dollars of YES: ${tradable.title}`),
        ]),
    ...(key === undefined ? [`  key=$(grep -o 'pk_test_[0-9A-Za-z_]*' ${keyFile})`] : []),
    `  curl -H "Authorization: Bearer ${key ?? '$key'}" "${url}/api/v1/events?limit=3"`,
  ];
}
