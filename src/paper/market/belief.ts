/**
 * The beliefs of the paper market: latent numbers that revert to a slowly drifting anchor, and the chances that follow
 * from them. The chances of a field add up to one and a ladder is monotone by construction, since each comes from one
 * distribution.
 */
import type { PaperEvent } from '../catalogue/question.ts';
import type { Random } from './random.ts';

const REVERSION = 0.08;
/** Each event moves about every twelve seconds; more than this and no two quotes in a row have the same price. */
const NOISE = 0.012;
const DRIFT = 0.004;
const HOMING = 0.002;

/**
 * One step of the latent numbers of an event with its own belief; matches and five-minute contracts have other models.
 */
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

/** Chance of YES of each contract, in order; undefined for events that follow a match or an asset. */
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

/** How an event with its own belief ends: which contracts are right, by one draw `u` in [0, 1). */
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

export function logit(p: number): number {
  return Math.log(p / (1 - p));
}

/** Standard normal distribution function, accurate to 1e-7 (Abramowitz and Stegun 26.2.17). */
export function normalBelow(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const tail =
    ((((1.330274429 * t - 1.821255978) * t + 1.781477937) * t - 0.356563782) * t + 0.31938153) *
    t *
    Math.exp((-x * x) / 2) *
    0.3989422804;
  return x >= 0 ? 1 - tail : tail;
}

function softmax(values: readonly number[]): number[] {
  const top = Math.max(...values);
  const weights = values.map((value) => Math.exp(value - top));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}
