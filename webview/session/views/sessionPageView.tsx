import type { JSX } from 'preact';
import type { SessionPage } from '../../../src/core/window/sessions/sessionPage';
import type { SessionToHost } from '../../../src/protocol/sessionPanel';
import { Instead } from '../../document/part';
import type { PageProps } from '../../document/start';
import { formatCount } from '../../format';
import { peakOf } from '../chart';
import type { SessionAction, SessionState } from '../state';
import { WORDS } from '../words';
import { ChartPart } from './chartPart';
import { FindingPart } from './findingPart';
import { TurnPart } from './turnPart';

type Props = PageProps<SessionState, SessionAction, SessionToHost>;

const INSTEAD = { ...WORDS.states, showLog: WORDS.showLog, none: { gone: WORDS.states.gone } };

/** One line of what the session came to. */
function Facts({ page }: { readonly page: SessionPage }): JSX.Element {
  const { facts } = WORDS;
  const peak = page.steps[peakOf(page.steps)];
  const rows: readonly (readonly [string, string])[] = [
    ...(peak ? [[facts.peak, facts.peakOf(page.unit, peak, page.windowTokens)] as const] : []),
    [facts.requests, facts.inTurns(page.requests, page.turns)],
    [facts.compactions, formatCount(page.compactions)],
    ...(page.usage === 'provider' ? [[facts.breaks, formatCount(page.cacheBreaks)] as const] : []),
    ...(page.usage === 'provider' ? [[facts.read, facts.readOf(page.readTokens, page.cachedTokens)] as const] : []),
    ...(page.subagentTokens > 0 ? [[facts.subagents, facts.tokens(page.subagentTokens)] as const] : []),
    ...(page.usage === 'counted' ? [[facts.figures, facts.counted] as const] : []),
  ];
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The whole page. */
export function SessionPageView(props: Props): JSX.Element {
  const { state, dispatch, post } = props;
  const { snapshot, step, showsAll } = state;
  const page = snapshot?.state === 'ready' ? snapshot.page : undefined;
  const move = (to: number): void => dispatch({ type: 'move', step: to });
  return (
    <div class="page">
      <header>
        <h1>{snapshot?.name}</h1>
        {page && snapshot ? <p class="muted">{WORDS.meta(snapshot, page)}</p> : null}
      </header>
      <Instead snapshot={snapshot} words={INSTEAD} showLog={() => post({ type: 'showLog' })} />
      {page && snapshot ? (
        <>
          <Facts page={page} />
          <FindingPart
            page={page}
            actions={snapshot.actions}
            showsAll={showsAll}
            showAll={() => dispatch({ type: 'showAll' })}
            move={move}
            post={post}
          />
          {page.steps.length === 0 ? <p class="empty">{WORDS.states.noRequests}</p> : null}
          <ChartPart page={page} step={step} move={move} />
          {page.steps.length > 0 ? <TurnPart page={page} step={step} move={move} /> : null}
        </>
      ) : null}
      {/* There before it says something, else it is not read out. */}
      <div class="undo" role="status">
        {snapshot?.undo === undefined ? null : (
          <>
            {snapshot.undo}{' '}
            <button type="button" class="link" data-key="undo" onClick={() => post({ type: 'undo' })}>
              {WORDS.undo}
            </button>
          </>
        )}
      </div>
      <div id="live" class="sr" role="status" aria-live="polite" />
    </div>
  );
}
