/** The prices of a game follow from its score and its time, and its markets never contradict each other. */
import { describe, expect, test } from 'vitest';
import type { PaperContract, PaperEvent, PaperMatch } from '../../src/paper/catalogue/event.ts';
import type { Exchange } from '../../src/paper/market/exchange.ts';
import { matchChances, playMatch } from '../../src/paper/market/match.ts';
import { createRandom, stateOf } from '../../src/paper/random.ts';
import { createExchange, events, fixtures, middle, NOON, pass } from './support.ts';

const SEEDS = Array.from({ length: 30 }, (_, index) => `game-${index}`);
const DOLLAR = 1_000_000;
const MINUTE = 60_000;

function gamesOf(exchange: Exchange): { match: PaperMatch; game: PaperEvent[] }[] {
  return Object.values(exchange.state.matches).map((match) => ({
    match,
    game: events(exchange).filter(({ model }) => model.type === 'match' && model.match === match.id),
  }));
}

function marketOf(game: readonly PaperEvent[], market: string): PaperContract[] {
  return game
    .filter(({ model }) => model.type === 'match' && model.market === market)
    .flatMap(({ contracts }) => contracts);
}

function leagueOf(match: PaperMatch) {
  const league = fixtures.leagues.get(match.league);
  if (league === undefined) {
    throw new Error(`no league ${match.league}`);
  }
  return league;
}

describe('the markets of one game', () => {
  test('agree at any time under many seeds: monotone lines, no decided line for sale, the sides of a margin with the result', {
    timeout: 120_000,
    tags: 'proof',
  }, () => {
    let decided = 0;
    for (const seed of SEEDS) {
      const clock = { at: NOON };
      const exchange = createExchange({ seed, clock });
      for (let round = 0; round < 4; round += 1) {
        for (const { match, game } of gamesOf(exchange)) {
          const points = match.homeScore + match.awayScore;
          const lines = marketOf(game, 'totals').sort((a, b) => (a.threshold ?? 0) - (b.threshold ?? 0));
          for (const [index, line] of lines.entries()) {
            const before = lines[index - 1];
            if (match.ended) {
              continue;
            }
            if ((line.threshold ?? 0) < points) {
              decided += 1;
              expect(line, `${seed} ${line.id} at ${points}`).toMatchObject({
                status: 'resolved',
                resolution: { outcome: 'YES' },
                book: { bids: [], asks: [] },
              });
            } else {
              expect(line, line.id).toMatchObject({ status: 'open', resolution: null });
              if (before?.status === 'open') {
                expect(bidOf(line), line.id).toBeLessThanOrEqual(bidOf(before));
                expect(askOf(line), line.id).toBeLessThanOrEqual(askOf(before));
              }
            }
          }
          if (!match.ended) {
            expectMarginWithinResult(marketOf(game, 'moneyline'), marketOf(game, 'spreads'));
          }
        }
        clock.at += 9 * MINUTE;
        pass(exchange, clock, 4);
      }
    }
    expect(decided).toBeGreaterThan(50);
  });

  test('move with the score: a goal raises its side, every total that is left, and ends the line that it decides', () => {
    const clock = { at: NOON };
    const exchange = createExchange({ clock });
    const { match, game } = gamesOf(exchange).find((one) => one.match.id.startsWith('la-liga-BAR')) ?? {};
    if (match === undefined || game === undefined) {
      throw new Error('no such game');
    }
    const [result, lines] = game;
    if (result === undefined || lines === undefined) {
      throw new Error('no such markets');
    }
    const chances = (event: PaperEvent) => matchChances(event, match, leagueOf(match));
    Object.assign(match, { homeScore: 1, awayScore: 0, played: 0.4 });
    const [home = 0, draw = 0, away = 0] = chances(result);
    expect(home + draw + away).toBeCloseTo(1, 3);
    const before = chances(lines);
    match.homeScore = 2;
    const [homeAfter = 0, , awayAfter = 0] = chances(result);
    expect(homeAfter).toBeGreaterThan(home + 0.05);
    expect(awayAfter).toBeLessThan(away);
    const after = chances(lines);
    expect(after[0]).toBe(1);
    expect(after.slice(1).every((chance, index) => chance > (before[index + 1] ?? 1) && chance < 1)).toBe(true);
  });

  test.each(['premier-league-ARS', 'nba-NYK', 'nhl-COL', 'nfl-CHI'])('%s is priced as it is played', (name) => {
    const exchange = createExchange();
    const { match, game } = gamesOf(exchange).find((one) => one.match.id.startsWith(name)) ?? {};
    if (match === undefined || game === undefined) {
      throw new Error('no such game');
    }
    const league = leagueOf(match);
    Object.assign(match, { homeScore: 1, awayScore: 0, played: 0.5 });
    const random = createRandom(stateOf(name));
    const games = 4_000;
    const counts = game.map((event) => event.contracts.map(() => 0));
    for (let count = 0; count < games; count += 1) {
      const played = { ...match };
      playMatch(played, league, match.endsAt, random);
      for (const [index, event] of game.entries()) {
        for (const [line, { threshold, direction, sportsMarketType }] of event.contracts.entries()) {
          const margin = played.homeScore - played.awayScore;
          const value = sportsMarketType === 'totals' ? played.homeScore + played.awayScore : margin;
          const results = league.draws ? [margin > 0, margin === 0, margin < 0] : [margin > 0, margin < 0];
          const right =
            sportsMarketType === 'moneyline'
              ? results[line]
              : direction === 'above'
                ? value > (threshold ?? 0)
                : value < (threshold ?? 0);
          const row = counts[index];
          if (right === true && row !== undefined) {
            row[line] = (row[line] ?? 0) + 1;
          }
        }
      }
    }
    for (const [index, event] of game.entries()) {
      for (const [line, chance] of matchChances(event, match, league).entries()) {
        expect(Math.abs((counts[index]?.[line] ?? 0) / games - chance), `${event.id} ${line}`).toBeLessThan(0.03);
      }
    }
  });
});

function bidOf({ book }: PaperContract): number {
  return book.bids[0]?.price ?? 0;
}

function askOf({ book }: PaperContract): number {
  return book.asks[0]?.price ?? DOLLAR;
}

/** Who wins by more than a line wins: the line cannot cost more than the win, up to the rounding of both. */
function expectMarginWithinResult(result: readonly PaperContract[], margins: readonly PaperContract[]): void {
  for (const margin of margins) {
    const win = result.find(({ team }) => team !== null && team.abbr === margin.team?.abbr);
    if (win !== undefined && win.book.asks.length > 0 && margin.book.bids.length > 0) {
      expect(middle(margin), margin.id).toBeLessThanOrEqual(middle(win) + 20_000);
    }
  }
}
