// Part `fill`: what share of a budget memory folders get to use once something is cut (DESIGN §3.4, the third property), through
// the command line and its JSON alone, each in a copy.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withCopy } from './ownRuns.mjs';
import { count, plural, table } from './support.mjs';

const CAPS = [2000, 4000, 7500, 15_000];
/** Of the binding cap, wherever something was cut. */
const FILLED = 0.95;

const percent = (share) => `${(share * 100).toFixed(1)} %`;

/** The expanded payload within `tokens`; by a config of the copy's own in versions without the flag. */
function payloadWithin(tokens, { copy, payload }) {
  const given = payload('payload', '--expanded', '--budget', String(tokens));
  if (given) return given;
  mkdirSync(path.join(copy, '.context-budget'), { recursive: true });
  const config = { version: 1, profiles: { default: { budget_tokens: tokens } } };
  writeFileSync(path.join(copy, '.context-budget/config.json'), JSON.stringify(config));
  return payload('payload', '--expanded');
}

/**
 * The cut whose next larger form needs least. `fits` when that form would have found room; where only characters are
 * short, its characters are taken to grow as its tokens do. Undefined where no cut tells its next form.
 */
function nextForm({ budget, sections }) {
  const steps = (budget.cuts ?? []).flatMap(({ id, tokens, next_tokens: next }) => {
    if (!(next > tokens)) return [];
    const section = sections.find((each) => each.id === id);
    const charsPerToken = section?.tokens > 0 ? section.chars / section.tokens : 0;
    return [{ id, next, tokens: next - tokens, chars: (next - tokens) * charsPerToken }];
  });
  const [smallest] = steps.sort((a, b) => a.tokens - b.tokens);
  if (!smallest) return undefined;
  const fits =
    smallest.tokens <= budget.budget_tokens - budget.tokens && smallest.chars <= budget.hard_cap_chars - budget.chars;
  return { ...smallest, fits };
}

/** One payload's row, and what is to be said of it. */
function measure(name, payload) {
  const { budget } = payload;
  const shares = { tokens: budget.tokens / budget.budget_tokens, characters: budget.chars / budget.hard_cap_chars };
  const binding = shares.characters > shares.tokens ? 'characters' : 'tokens';
  const share = shares[binding];
  const cuts = (budget.cuts ?? budget.downgrade_applied).length;
  const next = nextForm(payload);
  const nextWords = next ? `${next.id}: ${count(next.next)} tokens, ${count(next.tokens)} more` : '–';
  const isLow = cuts > 0 && share < FILLED;
  const where = `${name} at ${count(budget.budget_tokens)}: ${percent(share)} of the ${binding}`;
  const why = next ? `${nextWords}, would fit` : 'no cut tells its next form';
  return {
    row: [
      ...[name, count(budget.budget_tokens), `${count(budget.tokens)} · ${count(budget.chars)}`, binding],
      ...[percent(share), count(cuts), cuts > 0 ? nextWords : '–'],
    ],
    // A coarse form is no fault of the fit: the next one is too large.
    exception: isLow && next && !next.fits ? `${where}; the next larger form is ${nextWords}` : undefined,
    missed: share > 1 ? where : isLow && !(next && !next.fits) ? `${where}; ${why}` : undefined,
  };
}

const HEAD = ['folder', 'token cap', 'tokens · characters', 'binding', 'used of it', 'cuts', 'smallest next form'];

function list(title, lines) {
  if (lines.length > 0) console.log(`\n${title}\n${lines.map((line) => `- ${line}`).join('\n')}`);
}

/** Measures each folder at each cap; true when every goal is met. */
export function fillBench(folders) {
  const results = folders.flatMap((folder) => {
    const name = path.basename(folder);
    const measured = withCopy(folder, (runs) => CAPS.map((cap) => measure(name, payloadWithin(cap, runs))));
    console.error(`${name} measured`);
    return measured;
  });
  const missed = results.flatMap((result) => result.missed ?? []);
  table(
    'What is used of a budget',
    HEAD,
    results.map(({ row }) => row),
  );
  list(
    `Exceptions, their next form does not fit:`,
    results.flatMap(({ exception }) => exception ?? []),
  );
  list(`Missed, ${plural(missed.length, 'payload')} (at least ${percent(FILLED)} wherever something was cut):`, missed);
  if (missed.length === 0) console.log('\nEvery goal is met.');
  return missed.length === 0;
}
