/** `embed-sessions mint`: a token for one customer's frame, printed only once. */
import { Flags } from '@oclif/core';
import { usage } from '../../cli/failure.ts';
import { readJurisdictionArgument, userFlag } from '../../cli/flags.ts';
import { partnerCall } from '../../cli/partner-command.ts';
import type { EmbedSession } from '../../client/shapes.ts';

const REGIONS = [
  'global',
  'ar',
  'br',
  'mx',
  'cl',
  'co',
  'pe',
  'us',
  'eu',
  'hr',
] as const satisfies readonly EmbedSession['region'][];

export default partnerCall({
  summary: 'Mint an embed session; its token is shown only once.',
  examples: [
    '--user player-1',
    '--user player-1 --return-origin https://casino.example --ttl 600 --locale es',
    '--user player-1 --country US-NJ --theme mode=dark --theme accent=#0a7',
  ],
  flags: {
    ...userFlag,
    'return-origin': Flags.string({ helpValue: 'URL', summary: 'Origin that the calls of the session are bound to.' }),
    ttl: Flags.integer({
      helpValue: 'SECONDS',
      min: 60,
      max: 3600,
      summary: 'Lifetime of the session in seconds, 60 to 3600; by default 900.',
    }),
    locale: Flags.string({ helpValue: 'LOCALE', summary: 'Language of the frame: en, es, pt or hr.' }),
    region: Flags.option({ options: REGIONS, helpValue: 'REGION', summary: 'Region of the presentation.' })(),
    country: Flags.string({
      helpValue: 'CC[-SUB]',
      summary: 'Country and subdivision of the customer, for example HR or US-NJ.',
    }),
    theme: Flags.string({
      helpValue: 'KEY=VALUE',
      multiple: true,
      summary: 'Setting of the look: mode, accent, radius or density; repeatable.',
    }),
    'operator-book-id': Flags.string({
      helpValue: 'ID',
      summary: 'Operator book whose events alone the session shows; by default all events.',
    }),
  },
  call: async ({ client, flags }) =>
    client.post('/api/v1/embed-sessions', {
      body: {
        externalUserId: flags.user,
        returnOrigin: flags['return-origin'],
        ttlSeconds: flags.ttl,
        locale: flags.locale,
        region: flags.region,
        jurisdiction: flags.country === undefined ? undefined : readJurisdictionArgument(flags.country),
        theme: flags.theme === undefined ? undefined : Object.fromEntries(flags.theme.map(readThemeEntry)),
        operatorBookId: flags['operator-book-id'],
      },
    }),
  show: ({ sessionId, expiresAt, origin, token }) => ({ sessionId, expiresAt, origin, token }),
});

function readThemeEntry(text: string): [string, string | number | boolean] {
  const at = text.indexOf('=');
  if (at < 1) {
    throw usage(`--theme ${text} is not KEY=VALUE.`);
  }
  const value = text.slice(at + 1);
  if (value === 'true' || value === 'false') {
    return [text.slice(0, at), value === 'true'];
  }
  return [text.slice(0, at), /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value];
}
