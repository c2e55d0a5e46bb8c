/** The small catalogue of the recording: one event of each kind, as a venue lists them. */
import { contractIdOf, eventIdOf } from '../../src/markets/event.ts';
import type { VenueEvent, VenueMarket } from '../../src/venues/listing.ts';
import { event, market } from '../markets/test-venue.ts';
import type { TestMarket } from '../support/market.ts';

export const VENUE = 'paper';

/** Long before any recording, so that nothing is new or moves. */
const OPENED = { opensAt: new Date('2026-09-01T09:00:00.000Z') };
/** The year is shown as 2026 (`fixed-names.ts`). */
const closing = (time: string) => ({ ...OPENED, closesAt: new Date(`2099-${time}Z`) });

const DECEMBER = closing('12-17T13:15:00.000');
const KICK_OFF = closing('12-01T19:00:00.000');
const MICROS = 1_000_000n;

function listed(listingId: string, eventId: string, parts: Partial<VenueMarket>): VenueMarket {
  return market(listingId, eventId, {
    ...DECEMBER,
    translations: {},
    lastPriceMicros: null,
    volumeMicros: 18_250n * MICROS,
    volume24hMicros: 1_240n * MICROS,
    ...parts,
  });
}

const rateCut = (more: Partial<VenueMarket> = {}) =>
  event(
    'rates',
    [
      listed('rates', 'rates', {
        label: 'Yes',
        rules:
          'Resolves to Yes if the deposit facility rate after the meeting of 17 December 2026 is lower than before it.',
        sources: [
          { name: 'European Central Bank', url: 'https://www.ecb.europa.eu/press/govcdec/mopo/html/index.en.html' },
        ],
        resolvesAt: new Date('2099-12-17T14:00:00.000Z'),
        translations: { es: { label: 'Sí', yesLabel: null, noLabel: null } },
        ...more,
      }),
    ],
    {
      ...DECEMBER,
      title: 'Will the ECB cut its rates in December?',
      category: 'economics',
      categories: ['economics', 'finance'],
      volumeMicros: 182_500n * MICROS,
      volume24hMicros: 12_400n * MICROS,
      translations: { es: { title: '¿Bajará el BCE los tipos en diciembre?', subtitle: null } },
    },
  );

const TEAMS = [
  ['home', 'Dinamo Zagreb', 'DIN', '#0a4595'],
  ['draw', 'Draw', null, null],
  ['away', 'Hajduk Split', 'HAJ', '#d7141a'],
] as const;

/** @param observedAt when the score was reported */
const derby = (observedAt: Date, homeScore = 1) =>
  event(
    'derby',
    TEAMS.map(([listingId, label, teamAbbr, teamColor]) =>
      listed(listingId, 'derby', { ...KICK_OFF, label, teamAbbr, teamColor, sportsMarketType: 'moneyline' }),
    ),
    {
      ...KICK_OFF,
      title: 'Dinamo Zagreb vs Hajduk Split',
      subtitle: 'SuperSport HNL',
      category: 'sports',
      categories: ['sports'],
      sport: 'soccer',
      league: 'hnl',
      eventType: 'game',
      liveMatch: { homeScore, awayScore: 0, period: '2H', clock: "63'", observedAt },
      volumeMicros: 54_750n * MICROS,
      volume24hMicros: 3_720n * MICROS,
      translations: {},
    },
  );

const ladder = () =>
  event(
    'bitcoin',
    [90_000, 100_000, 110_000].map((threshold) =>
      listed(`bitcoin-${threshold}`, 'bitcoin', {
        label: `Above $${threshold.toLocaleString('en-US')}`,
        threshold,
        direction: 'above',
      }),
    ),
    {
      ...DECEMBER,
      title: 'Bitcoin price on 17 December',
      category: 'crypto',
      categories: ['crypto'],
      kind: 'cumulative_ladder',
      levelFormat: '{k} dollars',
      volumeMicros: 41_000n * MICROS,
      volume24hMicros: 2_900n * MICROS,
      translations: {},
    },
  );

const FIVE_MINUTES = closing('12-01T18:05:00.000');

const fiveMinutes = () =>
  event(
    'bitcoin-1805',
    [
      listed('bitcoin-1805', 'bitcoin-1805', {
        ...FIVE_MINUTES,
        label: 'Up',
        yesLabel: 'Up',
        noLabel: 'Down',
        fiveMinute: true,
      }),
    ],
    {
      ...FIVE_MINUTES,
      title: 'Bitcoin up or down, 18:00 to 18:05 UTC',
      category: 'crypto',
      categories: ['crypto'],
      volumeMicros: 900n * MICROS,
      volume24hMicros: 900n * MICROS,
      translations: {},
    },
  );

const question = (eventId: string, title: string, category: string) =>
  event(eventId, [listed(eventId, eventId, { label: 'Yes' })], {
    ...DECEMBER,
    title,
    category,
    categories: [category],
    volumeMicros: 18_250n * MICROS,
    volume24hMicros: 1_240n * MICROS,
    translations: {},
  });

/** @param observedAt when the score of the match was reported */
export function listEvents(observedAt: Date): VenueEvent[] {
  return [
    rateCut(),
    derby(observedAt),
    ladder(),
    fiveMinutes(),
    question('rain', 'Will it rain in Zagreb on 1 December?', 'climate'),
    question('launch', 'Will the launch take place this week?', 'science'),
  ];
}

/** The same event after trades for so many contracts. */
export const rateCutAfter = (contracts: bigint) =>
  rateCut({ volumeMicros: (18_250n + contracts) * MICROS, lastPriceMicros: 560_000n });

const marketOf = (eventId: string, listingId = eventId): TestMarket => ({
  eventId: eventIdOf(VENUE, eventId, null),
  contractId: contractIdOf(VENUE, listingId, null),
});

export const MARKETS = {
  rates: marketOf('rates'),
  derby: marketOf('derby', 'home'),
  draw: marketOf('derby', 'draw'),
  away: marketOf('derby', 'away'),
  bitcoin: marketOf('bitcoin', 'bitcoin-100000'),
  lower: marketOf('bitcoin', 'bitcoin-90000'),
  higher: marketOf('bitcoin', 'bitcoin-110000'),
  fiveMinutes: marketOf('bitcoin-1805'),
  rain: marketOf('rain'),
  launch: marketOf('launch'),
} as const;

/** The best bid and ask of each, which leave room for every order of the stories. */
export const BOOKS: readonly (readonly [TestMarket, bid: string, ask: string])[] = [
  [MARKETS.rates, '0.55', '0.57'],
  [MARKETS.derby, '0.71', '0.72'],
  [MARKETS.draw, '0.19', '0.2'],
  [MARKETS.away, '0.09', '0.1'],
  [MARKETS.lower, '0.81', '0.83'],
  [MARKETS.bitcoin, '0.58', '0.6'],
  [MARKETS.higher, '0.27', '0.29'],
  [MARKETS.fiveMinutes, '0.5', '0.52'],
  [MARKETS.rain, '0.34', '0.36'],
  [MARKETS.launch, '0.62', '0.64'],
];
