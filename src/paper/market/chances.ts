/**
 * The chances of events that are not matches: latent numbers that return to a slowly drifting anchor, and for a
 * five-minute window the price of its asset, which moves at random. Matches are priced by the model that plays them
 * (`match.ts`).
 */

import type { PaperEvent } from '../catalogue/event.ts';
import { ASSETS } from '../catalogue/mint.ts';
import type { Random } from '../random.ts';

const REVERSION = 0.08;
/** Each event moves about every twelve seconds. With more noise, no two quotes in a row would have the same price. */
const NOISE = 0.012;
const DRIFT = 0.004;
const HOMING = 0.002;

/** Moves the latent numbers of an event by one step. Events that follow a match or an asset are left as they are. */
export function moveBelief(event: PaperEvent, random: Random): void {
  const { model } = event;
  if (model.type === 'independent' || model.type === 'field') {
    for (let index = 0; index < model.at.length; index += 1) {
      const anchor = model.anchor[index] ?? 0;
      const home = model.home[index] ?? 0;
      const moved = anchor + DRIFT * random.normal() + HOMING * (home - anchor);
      const at = model.at[index] ?? 0;
      model.anchor[index] = moved;
      model.at[index] = at + REVERSION * (moved - at) + NOISE * random.normal();
    }
  } else if (model.type === 'ladder') {
    model.anchor += model.scale * DRIFT * random.normal() + HOMING * (model.home - model.anchor);
    model.at += REVERSION * (model.anchor - model.at) + model.scale * NOISE * random.normal();
  }
}

/**
 * The chance of YES of each contract, in order. The chances of a field add up to one and a ladder is monotone, because
 * each comes from one distribution.
 *
 * @returns undefined for events that follow a match or an asset
 */
export function chancesOf(event: PaperEvent): number[] | undefined {
  const { model } = event;
  switch (model.type) {
    case 'independent':
      return model.at.map(logistic);
    case 'field':
      return softmax(model.at);
    case 'ladder':
      return event.contracts.map((contract) => {
        const above = logistic((model.at - (contract.threshold ?? 0)) / model.scale);
        return contract.direction === 'below' ? 1 - above : above;
      });
    default:
      return undefined;
  }
}

/**
 * Which contracts of an event with its own belief resolve to YES, in order.
 *
 * @param u a draw, uniform in [0, 1)
 */
export function drawOutcome(event: PaperEvent, u: number): boolean[] {
  const { model } = event;
  const chances = chancesOf(event) ?? [];
  if (model.type === 'ladder') {
    const clamped = Math.min(Math.max(u, 1e-6), 1 - 1e-6);
    const value = model.at + model.scale * Math.log(clamped / (1 - clamped));
    return event.contracts.map(({ threshold, direction }) =>
      direction === 'below' ? value < (threshold ?? 0) : value > (threshold ?? 0),
    );
  }
  if (model.type === 'field') {
    let rest = u;
    let winner = chances.length - 1;
    for (const [index, chance] of chances.entries()) {
      rest -= chance;
      if (rest < 0) {
        winner = index;
        break;
      }
    }
    return chances.map((_, index) => index === winner);
  }
  return chances.map((chance, index) => (u + index * 0.618) % 1 < chance);
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

function softmax(values: readonly number[]): number[] {
  const top = Math.max(...values);
  const weights = values.map((value) => Math.exp(value - top));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** @returns the price of the asset after `seconds`; it is drawn back slowly to the price of the first start */
export function moveSpot(asset: string, spot: number, seconds: number, random: Random): number {
  const sigma = ASSETS[asset]?.sigma ?? 0.0001;
  const home = ASSETS[asset]?.spot ?? spot;
  return spot * Math.exp(sigma * Math.sqrt(seconds) * random.normal() + 2e-6 * seconds * Math.log(home / spot));
}

/** The chance that a five-minute window ends at or above its strike; one half until it has a strike. */
export function fiveChance(event: PaperEvent, spot: number, now: number): number {
  if (event.model.type !== 'five' || event.model.strike === null) {
    return 0.5;
  }
  const seconds = Math.max(1, (event.closesAt - now) / 1000);
  const sigma = (ASSETS[event.model.asset]?.sigma ?? 0.0001) * Math.sqrt(seconds);
  const chance = normalBelow(Math.log(spot / event.model.strike) / sigma);
  return Math.min(0.985, Math.max(0.015, chance));
}

/** Standard normal distribution function, accurate to 1e-7 (Abramowitz and Stegun 26.2.17). */
function normalBelow(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const tail =
    ((((1.330274429 * t - 1.821255978) * t + 1.781477937) * t - 0.356563782) * t + 0.31938153) *
    t *
    Math.exp((-x * x) / 2) *
    0.3989422804;
  return x >= 0 ? 1 - tail : tail;
}
