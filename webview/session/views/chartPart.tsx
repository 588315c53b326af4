import type { JSX } from 'preact';
import type { SessionPage, SessionStep } from '../../../src/core/window/sessions/sessionPage';
import { Part } from '../../document/part';
import { cssPercent, formatCount, formatTokens } from '../../format';
import { keyRows } from '../bands';
import { chartView, stepAt, xOf } from '../chart';
import { stepOfKey } from '../state';
import { BAND_WORDS, partName, WORDS } from '../words';

interface ChartProps {
  readonly page: SessionPage;
  readonly step: number;
  readonly move: (step: number) => void;
}

/** Labels at the edges begin or end there. */
function side(x: number): string {
  return x < 12 ? 'start' : x > 88 ? 'end' : '';
}

function percent(share: number): string {
  return cssPercent(share / 100);
}

/** One slider, drawn as areas. What it shows the key and the table say too. */
function Chart({ page, step, move }: ChartProps): JSX.Element | null {
  const { steps, unit, windowTokens } = page;
  const current = steps[step];
  const [first, last] = [steps[0], steps.at(-1)];
  if (!current || !first || !last) return null;
  const { areas, marks, levels, ticks, hasLimit } = chartView(page);
  const x = xOf(step, steps.length);
  const toPointer = (event: JSX.TargetedPointerEvent<HTMLElement>): void => {
    const { left, width } = (event.currentTarget.querySelector('svg') ?? event.currentTarget).getBoundingClientRect();
    move(stepAt(((event.clientX - left) / width) * 100, steps.length));
  };
  return (
    <div
      class="chart"
      role="slider"
      tabIndex={0}
      data-key="slider"
      aria-label={WORDS.chart.label(unit)}
      aria-valuemin={first.number}
      aria-valuemax={last.number}
      aria-valuenow={current.number}
      aria-valuetext={WORDS.chart.value(unit, current, windowTokens)}
      onKeyDown={(event) => {
        const next = stepOfKey(step, steps.length, event.key);
        if (next === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        move(next);
      }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        toPointer(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) toPointer(event);
      }}
    >
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        {levels.map(({ tokens, y }) => (
          <line key={tokens} class="level" x1="0" x2="100" y1={y} y2={y} />
        ))}
        {areas.map(({ band, path }) => (
          <path key={band} class={`k-${band}`} d={path} />
        ))}
        {hasLimit ? <line class="limit" x1="0" x2="100" y1="0" y2="0" /> : null}
        {marks.map(({ kind, x: at }, index) => (
          <line key={index} class={kind} x1={at} x2={at} y1="0" y2="100" />
        ))}
        <line class="now" x1={x} x2={x} y1="0" y2="100" />
      </svg>
      <div aria-hidden="true">
        {levels.map(({ tokens, y }) => (
          <span key={tokens} class="label level" style={{ top: `calc(30px + 220px * ${y / 100})` }}>
            {tokens === 0 ? '0' : formatTokens(tokens)}
          </span>
        ))}
        <div class="scale">
          {ticks.map(({ number, x: at }) => (
            <span key={number} class="label tick" style={{ left: percent(at) }}>
              {formatCount(number)}
            </span>
          ))}
          {marks
            .filter(({ count }) => count > 0)
            .map(({ kind, x: at, count }, index) => (
              <span key={index} class={`label mark ${kind} ${side(at)}`} style={{ left: percent(at) }}>
                {WORDS.chart[kind](count)}
              </span>
            ))}
        </div>
      </div>
    </div>
  );
}

/** What the window of the current step holds, top band first, and its sum. */
function Key({ page, current }: { readonly page: SessionPage; readonly current: SessionStep }): JSX.Element {
  const { unit, windowTokens } = page;
  const rows = [...keyRows(current.parts)].reverse();
  // The chart draws bands, not their parts: what is one area there has one swatch here, beside all of its rows.
  const swatchOf = (at: number): string =>
    [
      ...['swatch', `k-${rows[at]?.band}`],
      ...(rows[at - 1]?.band === rows[at]?.band ? [] : ['first']),
      ...(rows[at + 1]?.band === rows[at]?.band ? [] : ['last']),
    ].join(' ');
  return (
    <table class="key">
      <caption>
        <strong>{WORDS.chart.step(unit, current)}</strong>
        {windowTokens === undefined ? null : ` ${WORDS.chart.of(current.tokens / windowTokens)}`}
      </caption>
      <tbody>
        {rows.map(({ band, part, tokens }, at) => (
          <tr key={partName(part)} title={BAND_WORDS[band].title}>
            <th scope="row">
              <span class={swatchOf(at)} />
              {partName(part)}
            </th>
            <td class="number">{formatCount(tokens)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{WORDS.chart.total}</th>
          <td class="number">{formatCount(current.tokens)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

/** The window over the steps, with the parts of the current one. */
export function ChartPart(props: ChartProps): JSX.Element | null {
  const { page, step } = props;
  const current = page.steps[step];
  if (!current) return null;
  return (
    <Part id="chart" title={WORDS.parts.chart(page.unit)}>
      <div class="figure">
        <Chart {...props} />
        <Key page={page} current={current} />
      </div>
    </Part>
  );
}
