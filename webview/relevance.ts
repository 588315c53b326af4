/** Scores, simulation and the prompt-cache prefix in words. Pure: numbers come from the report and the host. */
import type { ReportSection } from '../src/core/model/report';
import type { PrefixMatch } from '../src/core/usage/usageService';
import {
  formatScore,
  formatThreshold,
  type PanelEffect,
  type PanelSimulation,
  type PanelSimulationPoint,
  type PanelSnapshot,
} from '../src/protocol/panel';
import { formatChange } from './format';
import { listed as joined, say } from './language';
import { EXEMPTION_WORDS, MODE_WORDS, WORDS } from './words';

/** Names listed before the others are only counted. */
const MAX_NAMES = 3;

/** The caption of a section's factors: `0.61, stub below 0.30`, or what the citation factor says is missing. */
export function scoreCaption({ relevance }: ReportSection): string {
  if (!relevance) return '';
  const score = formatScore(relevance.score);
  if (relevance.hasEnoughData) return WORDS.relevance.score(score, formatThreshold(relevance.threshold));
  const why = relevance.factors.find(({ name }) => name === 'citation')?.why;
  return WORDS.relevance.noData(score, why ? say(why) : WORDS.relevance.notEnough);
}

/** Why the score cannot make a stub of the section; undefined where it can. */
export function exemptionSentence({ relevance }: ReportSection): string | undefined {
  return relevance?.exemption && EXEMPTION_WORDS[relevance.exemption];
}

/** The header's summary of the Relevance part. */
export function relevanceSummary({ scoring }: PanelSnapshot): string {
  const { label } = MODE_WORDS[scoring.mode];
  return scoring.mode === 'dynamic' ? WORDS.relevance.summary(label, formatThreshold(scoring.threshold)) : label;
}

/** The simulated point at `threshold`, or the one next to it. */
export function pointAt(simulation: PanelSimulation, threshold: number): PanelSimulationPoint | undefined {
  return simulation.points.reduce<PanelSimulationPoint | undefined>((nearest, point) => {
    const isNearer = !nearest || Math.abs(point.threshold - threshold) < Math.abs(nearest.threshold - threshold);
    return isNearer ? point : nearest;
  }, undefined);
}

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  const shown = names.slice(0, MAX_NAMES);
  return joined(more > 0 ? [...shown, WORDS.relevance.more(more)] : shown);
}

/** How many citations stay, without those that are lost. */
export function keptWords({ citationsKept, citationsTotal }: PanelEffect): string {
  return citationsTotal === 0 ? WORDS.relevance.noCitations : WORDS.relevance.kept(citationsKept, citationsTotal);
}

/** What a threshold would have done, line by line. */
interface EffectView {
  readonly cost: string;
  readonly citations: string;
  readonly stubs: string;
  /** All names, where `stubs` counts some. */
  readonly stubsTitle: string;
}

export function effectView(effect: PanelEffect, cycles: number, nameOf: (id: string) => string): EffectView {
  const words = WORDS.relevance;
  const { tokensBefore, tokensAfter, lost, stubbed } = effect;
  const names = stubbed.map(nameOf);
  const losses = lost.map(({ id, citations }) => `${nameOf(id)} ${citations}`);
  return {
    cost: words.cost(cycles, tokensBefore, tokensAfter, formatChange(tokensBefore, tokensAfter)),
    citations: keptWords(effect) + (losses.length > 0 ? words.lost(listed(losses)) : ''),
    stubs: names.length > 0 ? words.stubs(listed(names)) : words.noStubs,
    stubsTitle: names.length > 0 ? words.stubs(joined(names)) : words.noStubs,
  };
}

/** The sentence under the meters about the provider's prompt cache. */
export function prefixSentence(prefix: PrefixMatch, nameOf: (id: string) => string): string {
  const { cycle, tokens, totalTokens, brokenBy, how } = prefix;
  const words = WORDS.prefix;
  if (how === 'equal' || brokenBy === undefined) return words.equal(tokens, cycle);
  return words.part(tokens, totalTokens, cycle) + words.broken[how](nameOf(brokenBy));
}

/** How sections are named where only their id is known: by title, else by the id itself. */
export function sectionNames(snapshot: PanelSnapshot): (id: string) => string {
  const titles = new Map(snapshot.payload?.sections.map(({ id, title }) => [id, title]));
  return (id) => titles.get(id) ?? id;
}
