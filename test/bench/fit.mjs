// Part `fit`: choosing the forms of 500 sections of 50 entries under both caps; `fit.ts` measures.
import { withBundled } from './bundled.mjs';
import { milliseconds, ratio, table } from './support.mjs';

/** DESIGN §3.4: nothing is rendered to measure. */
const LIMIT_MS = 5;

export async function fitBench(rounds) {
  const costs = await withBundled('fit.ts', ({ fitCosts }) => fitCosts(rounds));
  table(
    'Fitting 500 sections of 50 entries, measured before',
    [
      'payload',
      'fit',
      'against the limit of 5 ms',
      'against measuring them again',
      'of the cap used',
      'rendered or counted',
    ],
    costs.map(({ name, fitMs, measureMs, used, rendered }) => [
      name,
      milliseconds(fitMs),
      ratio(fitMs, LIMIT_MS),
      ratio(fitMs, measureMs),
      `${(used * 100).toFixed(1)}%`,
      String(rendered),
    ]),
  );
}
