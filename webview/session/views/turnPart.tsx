import type { JSX } from 'preact';
import type { SessionPage } from '../../../src/core/window/sessions/sessionPage';
import { Part, Scrolling } from '../../document/part';
import { formatCount } from '../../format';
import { BANDS, bandTokens } from '../bands';
import { BAND_WORDS, WORDS } from '../words';

/** The chart as a table: every step, with its events in words. */
export function TurnPart({
  page: { steps, unit },
  step,
  move,
}: {
  readonly page: SessionPage;
  readonly step: number;
  readonly move: (step: number) => void;
}): JSX.Element {
  const title = WORDS.parts.table(unit);
  return (
    <Part id="turns" title={title}>
      <Scrolling label={WORDS.table.scroll(title)}>
        <table class="turns">
          <thead>
            <tr>
              <th scope="col">{unit === 'turn' ? WORDS.table.turn : WORDS.table.request}</th>
              <th scope="col" class="number">
                {WORDS.table.window}
              </th>
              {BANDS.map((band) => (
                <th key={band} scope="col" class="number" title={BAND_WORDS[band].title}>
                  {BAND_WORDS[band].head}
                </th>
              ))}
              <th scope="col">{WORDS.table.event}</th>
            </tr>
          </thead>
          <tbody>
            {steps.map((each, at) => (
              // The slider does the same from the keyboard.
              <tr
                key={each.number}
                data-step={each.number}
                class={at === step ? 'current' : ''}
                aria-current={at === step ? 'true' : undefined}
                onClick={() => move(at)}
              >
                <th scope="row">{formatCount(each.number)}</th>
                <td class="number window">{formatCount(each.tokens)}</td>
                {BANDS.map((band) => {
                  const tokens = bandTokens(each.parts, band);
                  return (
                    <td key={band} class={tokens === 0 ? 'number muted' : 'number'}>
                      {formatCount(tokens)}
                    </td>
                  );
                })}
                <td>{WORDS.table.events(each)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
    </Part>
  );
}
